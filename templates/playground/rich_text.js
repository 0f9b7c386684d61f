// rich_text blocks: sections, lists that nest by their indent, quotes, preformatted text.

import { el, link } from "/assets/dom.js";
import { conversation, emoji, person } from "/assets/mrkdwn.js";

const STYLES = { bold: "strong", italic: "em", strike: "s", underline: "u", code: "code" };

export function richText(block) {
  return el("div", { class: "rich-text" }, block.elements.map(part));
}

function part(element) {
  switch (element.type) {
    case "rich_text_section":
      return el("div", { class: "section-text" }, spans(element));
    case "rich_text_preformatted":
      return el("pre", { tabindex: 0 }, spans(element));
    case "rich_text_quote":
      return el("blockquote", {}, spans(element));
    case "rich_text_list":
      return list(element);
    default:
      return el("code", {}, JSON.stringify(element));
  }
}

function list(element) {
  const ordered = element.style === "ordered";
  const first = ordered && element.offset ? element.offset + 1 : null;
  return el(
    ordered ? "ol" : "ul",
    { class: `indent-${Math.min(element.indent ?? 0, 8)}`, start: first },
    element.elements.map((item) => el("li", {}, spans(item))),
  );
}

export function spans(element) {
  return element.elements.map((span) => styled(drawn(span), span.style));
}

function drawn(span) {
  switch (span.type) {
    case "text":
      return span.text;
    case "link":
      return link(span.url, span.text ?? span.url);
    case "emoji":
      return emoji(span.name, span.unicode);
    case "user":
      return person(span.user_id);
    case "channel":
      return conversation(span.channel_id);
    case "broadcast":
      return el("span", { class: "mention loud" }, `@${span.range}`);
    case "usergroup":
      return el("span", { class: "mention" }, `@${span.usergroup_id}`);
    case "date":
      return span.fallback ?? new Date(span.timestamp * 1000).toLocaleString();
    case "color":
      return el("code", {}, span.value);
    default:
      return el("code", {}, JSON.stringify(span));
  }
}

function styled(node, style) {
  let result = node;
  for (const [name, tag] of Object.entries(STYLES)) {
    if (style?.[name]) result = el(tag, {}, result);
  }
  return result;
}
