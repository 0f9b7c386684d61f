// Slack's own markup in text objects, and the standard Markdown of markdown blocks.

import { el, link } from "/assets/dom.js";

const PEOPLE = document.documentElement.dataset;
const INLINE = new RegExp(
  [
    "`([^`\\n]+)`",
    "<([^<>\\n]+)>",
    "(?<![\\w*])\\*(?=\\S)([^*\\n]+?)(?<=\\S)\\*(?![\\w*])",
    "(?<![\\w_])_(?=\\S)([^_\\n]+?)(?<=\\S)_(?![\\w_])",
    "(?<![\\w~])~(?=\\S)([^~\\n]+?)(?<=\\S)~(?![\\w~])",
    ":([a-z0-9_+-]+):",
  ].join("|"),
  "g",
);
const EMOJI = {
  white_check_mark: "✅", heavy_check_mark: "✔️", warning: "⚠️", x: "❌", bell: "🔔",
  no_bell: "🔕", eyes: "👀", chart_with_upwards_trend: "📈", chart_with_downwards_trend: "📉",
  rotating_light: "🚨", information_source: "ℹ️", moneybag: "💰", gear: "⚙️", star: "⭐",
  large_green_circle: "🟢", large_yellow_circle: "🟡", red_circle: "🔴", bar_chart: "📊",
  arrow_up: "⬆️", arrow_down: "⬇️", "+1": "👍", "-1": "👎", mag: "🔍", wastebasket: "🗑️",
};

export function unescaped(text) {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

export function person(user) {
  const name = { [PEOPLE.bot]: "gpucost", [PEOPLE.visitor]: "You" }[user] ?? user;
  return el("span", { class: "mention" }, `@${name}`);
}

export function conversation(channel) {
  const name = { [PEOPLE.channel]: "#gpu-costs", [PEOPLE.direct]: "@gpucost" }[channel];
  return el("span", { class: "mention" }, name ?? `#${channel}`);
}

export function emoji(name, unicode) {
  if (unicode) {
    return String.fromCodePoint(...unicode.split("-").map((part) => Number.parseInt(part, 16)));
  }
  return EMOJI[name] ?? `:${name}:`;
}

// Draw a mrkdwn text: fences, quotes, then what stands within a line.
export function mrkdwn(text, verbatim = false) {
  return text.split(/```\n?/).map((piece, number) => {
    if (number % 2) return el("pre", {}, unescaped(piece));
    return quoted(piece, verbatim);
  });
}

function quoted(text, verbatim) {
  const drawn = [];
  let quote = [];
  const flush = () => {
    if (quote.length) drawn.push(el("blockquote", {}, inline(quote.join("\n"), verbatim)));
    quote = [];
  };
  for (const line of text.split(/(?<=\n)/)) {
    const cited = /^(?:&gt;|>) ?(.*?)\n?$/s.exec(line);
    if (cited) quote.push(cited[1]);
    else {
      flush();
      drawn.push(...inline(line, verbatim));
    }
  }
  flush();
  return drawn;
}

function inline(text, verbatim) {
  const drawn = [];
  let end = 0;
  for (const found of text.matchAll(INLINE)) {
    drawn.push(unescaped(text.slice(end, found.index)));
    drawn.push(span(found, verbatim));
    end = found.index + found[0].length;
  }
  drawn.push(unescaped(text.slice(end)));
  return drawn.filter((piece) => piece !== "");
}

function span([, code, angle, bold, italic, struck, emojiName], verbatim) {
  if (code !== undefined) return el("code", {}, unescaped(code));
  if (angle !== undefined) return reference(angle);
  if (bold !== undefined) return el("strong", {}, inline(bold, verbatim));
  if (italic !== undefined) return el("em", {}, inline(italic, verbatim));
  if (struck !== undefined) return el("s", {}, inline(struck, verbatim));
  return emoji(emojiName);
}

// What stands between < and >: a person, a channel, a broadcast, a date or a link.
function reference(inside) {
  const [target, label] = inside.split("|", 2);
  if (target.startsWith("@")) return person(target.slice(1));
  if (target.startsWith("#")) return conversation(target.slice(1));
  if (target.startsWith("!date^")) return dated(target, label);
  if (target.startsWith("!")) {
    return el("span", { class: "mention loud" }, label ?? `@${target.slice(1)}`);
  }
  return link(unescaped(target), unescaped(label ?? target));
}

function dated(target, label) {
  const seconds = Number(target.split("^")[1]);
  const moment = new Date(seconds * 1000);
  if (Number.isNaN(moment.getTime())) return label ?? target;
  return el("time", { datetime: moment.toISOString() }, label ?? moment.toLocaleString());
}

// Standard Markdown, as much of it as a bot's message needs.
export function markdown(text) {
  return text.split(/\n{2,}/).map((part) => {
    const heading = /^(#{1,6}) (.*)$/.exec(part);
    if (heading) return el(`h${Math.min(6, heading[1].length + 2)}`, {}, starred(heading[2]));
    const lines = part.split("\n");
    if (lines.every((line) => /^\s*[-*] /.test(line))) return listed("ul", lines, /^\s*[-*] /);
    if (lines.every((line) => /^\s*\d+\. /.test(line))) return listed("ol", lines, /^\s*\d+\. /);
    const fenced = /^```\w*\n([\s\S]*?)\n?```$/.exec(part);
    if (fenced) return el("pre", {}, fenced[1]);
    return el("p", {}, starred(part));
  });
}

function listed(tag, lines, mark) {
  return el(tag, {}, lines.map((line) => el("li", {}, starred(line.replace(mark, "")))));
}

function starred(text) {
  const pattern = /\*\*([^*]+)\*\*|\*([^*]+)\*|`([^`]+)`|\[([^\]]+)\]\(([^)\s]+)\)/g;
  const drawn = [];
  let end = 0;
  for (const [whole, bold, italic, code, label, address] of text.matchAll(pattern)) {
    const start = text.indexOf(whole, end);
    drawn.push(text.slice(end, start));
    if (bold) drawn.push(el("strong", {}, bold));
    else if (italic) drawn.push(el("em", {}, italic));
    else if (code) drawn.push(el("code", {}, code));
    else drawn.push(link(address, label));
    end = start + whole.length;
  }
  return [...drawn, text.slice(end)];
}

// A text object, in either of its types.
export function textObject(text) {
  if (!text) return [];
  if (text.type === "mrkdwn") return mrkdwn(text.text, text.verbatim);
  return [text.emoji === false ? text.text : text.text.replace(/:([a-z0-9_+-]+):/g, (_, name) => emoji(name))];
}

export function plainText(text) {
  return text?.text ?? "";
}
