// The marks of each kind of chart, for a width in pixels.

import { svg } from "/assets/dom.js";
import { figure, scale } from "/assets/scales.js";

const LETTER = 6.4;
const TOP = 14;
const RIGHT = 12;

export function barsUp(spec, width) {
  const height = 220;
  const y = scale(everyValue(spec), true);
  const frame = framed(spec, width, height, y);
  const slot = frame.width / spec.axis_config.categories.length;
  const thick = Math.min(48, (slot * 0.7) / spec.series.length);
  const marks = [];
  spec.series.forEach((series, s) => {
    points(spec, series).forEach(({ label, value, index }) => {
      const middle = frame.left + slot * (index + 0.5);
      const x = middle + (s - spec.series.length / 2) * thick;
      const [from, to] = [frame.at(0), frame.at(value)];
      marks.push(bar(s, label, series.name, value, x, Math.min(from, to), thick * 0.92, Math.abs(from - to)));
      if (spec.series.length === 1) {
        marks.push(words(x + thick / 2, Math.min(from, to) - 4, figure(value), "middle", "value"));
      }
    });
  });
  const labels = spec.axis_config.categories.map((label, n) =>
    words(frame.left + slot * (n + 0.5), frame.bottom + 15, label, "middle"));
  return { height, marks: [...axes(spec, frame, y), ...marks, ...labels] };
}

export function barsAcross(spec, width) {
  const { categories } = spec.axis_config;
  const x = scale(everyValue(spec), true, width < 420 ? 3 : 5);
  const longest = Math.max(...categories.map((label) => label.length));
  const left = Math.min(longest * LETTER + 8, width * 0.42);
  const span = width - left - RIGHT - 44;
  const thick = spec.series.length > 2 ? 9 : 14;
  const row = thick * spec.series.length + 10;
  const height = TOP + row * categories.length + 34;
  const at = (value) => left + x.share(value) * span;
  const marks = x.ticks.flatMap((tick) => [
    svg("line", { class: "grid", x1: at(tick), x2: at(tick), y1: TOP - 6, y2: height - 32 }),
    words(at(tick), height - 18, figure(tick), "middle"),
  ]);
  categories.forEach((label, n) => {
    const top = TOP + n * row;
    marks.push(words(left - 6, top + (row - 10) / 2 + 4, label, "end"));
    spec.series.forEach((series, s) => {
      const value = series.data.find((point) => point.label === label)?.value;
      if (value === undefined) return;
      const [from, to] = [at(0), at(value)];
      marks.push(bar(s, label, series.name, value, Math.min(from, to), top + s * thick, Math.abs(to - from), thick - 2));
      marks.push(words(Math.max(from, to) + 4, top + s * thick + thick / 2 + 2.5, figure(value), "start", "value"));
    });
  });
  if (spec.axis_config.y_label) {
    marks.push(words(left + span / 2, height - 3, spec.axis_config.y_label, "middle", "axis"));
  }
  return { height, marks };
}

export function curves(spec, width) {
  const height = 240;
  const area = spec.type === "area";
  const values = everyValue(spec);
  const near = Math.min(...values) > Math.max(...values) / 2;
  const y = scale(values, area || !near);
  const frame = framed(spec, width, height, y);
  const { categories } = spec.axis_config;
  const gap = categories.length > 1 ? frame.width / (categories.length - 1) : 0;
  const x = (index) => (gap ? frame.left + gap * index : frame.left + frame.width / 2);
  const marks = spec.series.flatMap((series, s) => {
    const places = points(spec, series).map((point) => ({ ...point, x: x(point.index), y: frame.at(point.value) }));
    const path = places.map((p, n) => `${n ? "L" : "M"}${p.x.toFixed(1)} ${p.y.toFixed(1)}`).join("");
    const floor = `L${places.at(-1).x} ${frame.bottom}L${places[0].x} ${frame.bottom}Z`;
    return [
      area ? svg("path", { class: `fill tint-${s}`, d: path + floor }) : null,
      svg("path", { class: `stroke tint-${s}`, d: path }),
      ...places.map((p) => told(svg("circle", { class: `bar tint-${s}`, cx: p.x, cy: p.y, r: 3 }), p.label, series.name, p.value)),
    ];
  });
  return { height, marks: [...axes(spec, frame, y), ...marks, ...below(categories, x, frame)] };
}

export function pie(spec, width) {
  const height = 200;
  const total = spec.segments.reduce((sum, each) => sum + each.value, 0);
  const [cx, cy, r] = [Math.min(width / 2, 160), height / 2, 84];
  let turned = -Math.PI / 2;
  const marks = spec.segments.map((each, n) => {
    const angle = (each.value / total) * 2 * Math.PI;
    const [a, b] = [turned, turned + angle];
    turned = b;
    const round = angle > 2 * Math.PI - 1e-6
      ? svg("circle", { class: `bar tint-${n % 6}`, cx, cy, r })
      : svg("path", { class: `bar tint-${n % 6}`, d: slice(cx, cy, r, a, b) });
    return told(round, each.label, `${((each.value / total) * 100).toFixed(0)} %`, each.value);
  });
  return { height, marks };
}

function slice(cx, cy, r, a, b) {
  const point = (angle) => `${cx + r * Math.cos(angle)} ${cy + r * Math.sin(angle)}`;
  return `M${cx} ${cy}L${point(a)}A${r} ${r} 0 ${b - a > Math.PI ? 1 : 0} 1 ${point(b)}Z`;
}

// From the last label back, each that is not drawn over the one behind it.
function below(categories, x, frame) {
  const drawn = [];
  let free = Infinity;
  for (let n = categories.length - 1; n >= 0; n -= 1) {
    const wide = categories[n].length * LETTER;
    const within = x(n) >= wide / 2 && wide / 2 <= frame.left + frame.width + RIGHT - x(n);
    const edge = within ? "middle" : n ? "end" : "start";
    const start = x(n) - { start: 0, middle: wide / 2, end: wide }[edge];
    if (start + wide + 8 > free) continue;
    free = start;
    drawn.push(words(x(n), frame.bottom + 15, categories[n], edge));
  }
  return drawn;
}

function framed(spec, width, height, y) {
  const widest = Math.max(...y.ticks.map((tick) => figure(tick).length));
  const left = widest * LETTER + 10;
  const top = TOP + (spec.axis_config.y_label ? 14 : 4);
  const bottom = height - 22 - (spec.axis_config.x_label ? 14 : 0);
  const at = (value) => bottom - y.share(value) * (bottom - top);
  return { left, top, bottom, height, width: width - left - RIGHT, at };
}

function axes(spec, frame, y) {
  const { x_label: under, y_label: beside } = spec.axis_config;
  return [
    ...y.ticks.flatMap((tick) => [
      svg("line", { class: "grid", x1: frame.left, x2: frame.left + frame.width, y1: frame.at(tick), y2: frame.at(tick) }),
      words(frame.left - 6, frame.at(tick) + 4, figure(tick), "end"),
    ]),
    beside ? words(0, 11, beside, "start", "axis") : null,
    under ? words(frame.left + frame.width / 2, frame.height - 3, under, "middle", "axis") : null,
  ];
}

function bar(tint, label, name, value, x, y, width, height) {
  const shape = { class: `bar tint-${tint}`, x, y, width: Math.max(width, 1), height: Math.max(height, 1), rx: 2 };
  return told(svg("rect", shape), label, name, value);
}

// What a pointer that rests on a mark is told.
function told(mark, label, name, value) {
  mark.append(svg("title", {}, `${label} · ${name}: ${figure(value)}`));
  return mark;
}

function words(x, y, text, anchor, kind = "tick") {
  return svg("text", { class: kind, x, y, "text-anchor": anchor }, text);
}

function everyValue(spec) {
  return spec.series.flatMap((series) => series.data.map((point) => point.value));
}

function points(spec, series) {
  return spec.axis_config.categories.flatMap((label, index) => {
    const found = series.data.find((point) => point.label === label);
    return found ? [{ ...found, index }] : [];
  });
}
