// data_visualization: bars, lines, areas and pies as SVG, with the figures in a table.

import { el, svg } from "/assets/dom.js";
import { barsAcross, barsUp, curves, pie } from "/assets/plots.js";
import { figure } from "/assets/scales.js";

const PLOTS = { bar: bars, line: curves, area: curves, pie };

export function chart(block) {
  const plot = PLOTS[block.chart.type];
  const canvas = el("div", { class: "canvas" });
  const title = block.title ?? "Chart";
  let drawnAt = 0;
  const draw = () => {
    const width = Math.round(canvas.clientWidth);
    if (!width || Math.abs(width - drawnAt) < 4) return;
    drawnAt = width;
    const { height, marks } = plot(block.chart, width);
    const picture = { class: "chart", role: "img", "aria-label": title, width, height };
    canvas.replaceChildren(svg("svg", { ...picture, viewBox: `0 0 ${width} ${height}` }, marks));
  };
  new ResizeObserver(draw).observe(canvas);
  return el(
    "figure",
    { class: "visualization" },
    el("figcaption", {}, title),
    canvas,
    legend(block.chart),
    el("details", { class: "figures" }, el("summary", {}, "Figures"), figuresOf(block.chart)),
  );
}

// Bars stand upright while their labels fit beneath them, and lie down when not.
function bars(spec, width) {
  const categories = spec.axis_config.categories;
  const slot = (width - 60) / categories.length;
  const longest = Math.max(...categories.map((label) => label.length));
  return longest * 6.4 > slot ? barsAcross(spec, width) : barsUp(spec, width);
}

function legend(spec) {
  const names = spec.segments
    ? spec.segments.map((each) => `${each.label}: ${figure(each.value)}`)
    : spec.series.map((each) => each.name);
  if (!spec.segments && names.length < 2) return null;
  const entries = names.map((name, number) =>
    el("li", {}, el("span", { class: `tint-${number % 6}`, "aria-hidden": "true" }, "■ "), name));
  return el("ul", { class: "legend" }, entries);
}

function figuresOf(spec) {
  const names = spec.segments ? ["Value"] : spec.series.map((each) => each.name);
  const rows = spec.segments
    ? spec.segments.map((each) => [each.label, each.value])
    : spec.axis_config.categories.map((label) => [label, ...spec.series.map((s) => valueAt(s, label))]);
  const cells = ([label, ...values]) =>
    el("tr", {}, el("th", { scope: "row" }, label), values.map((v) => el("td", { class: "right" }, figure(v))));
  return el(
    "div",
    { class: "scrolling", tabindex: 0, role: "region", "aria-label": "Figures" },
    el(
      "table",
      {},
      el("thead", {}, el("tr", {}, el("td", {}), names.map((name) => el("th", { scope: "col", class: "right" }, name)))),
      el("tbody", {}, rows.map(cells)),
    ),
  );
}

function valueAt(series, label) {
  return series.data.find((point) => point.label === label)?.value;
}

