// Draw Block Kit: each block by its type, an unknown one as the JSON that came.

import { chart } from "/assets/charts.js";
import { el, link, newId } from "/assets/dom.js";
import { element } from "/assets/elements.js";
import { markdown, mrkdwn, plainText, textObject } from "/assets/mrkdwn.js";
import { richText } from "/assets/rich_text.js";
import { dataTable, table } from "/assets/tables.js";

const DRAWERS = {
  section,
  header: (block) => el("h3", { class: "header" }, textObject(block.text)),
  divider: () => el("hr"),
  context,
  actions: (block, form) => el("div", { class: "actions" }, pressed(block, form)),
  context_actions: (block, form) => el("div", { class: "actions quiet" }, pressed(block, form)),
  input,
  rich_text: richText,
  markdown: (block) => el("div", { class: "markdown" }, markdown(block.text)),
  table,
  data_table: dataTable,
  data_visualization: chart,
  container,
  image,
  alert: (block) => el("div", { class: `alert ${block.level ?? "default"}`, role: "note" }, textObject(block.text)),
  card,
  carousel: (block, form) => el("div", { class: "carousel", tabindex: 0 }, block.elements.map((each) => card(each, form))),
};

// A form carries what is filled in, and sends what is pressed: see forms.js.
export function blocks(list, form) {
  return list.map((block) => el("div", { class: "block", "data-block": block.block_id }, drawn(block, form)));
}

function drawn(block, form) {
  const draw = DRAWERS[block.type];
  try {
    return draw ? draw(block, form) : unknown(block);
  } catch (fault) {
    console.error(fault);
    return unknown(block, "This block could not be drawn.");
  }
}

function unknown(block, why = `No drawing for a block of type ${block.type}.`) {
  return el("div", { class: "unknown" }, el("p", {}, why), el("pre", { tabindex: 0 }, JSON.stringify(block, null, 2)));
}

function pressed(block, form) {
  return block.elements.map((each) => element(each, block, form));
}

function section(block, form) {
  const fields = block.fields?.map((field) => el("div", { class: "field" }, textObject(field)));
  return el(
    "div",
    { class: "section" },
    el(
      "div",
      { class: "section-body" },
      block.text ? el("div", { class: "section-text" }, textObject(block.text)) : null,
      fields ? el("div", { class: "fields" }, fields) : null,
    ),
    block.accessory ? el("div", { class: "accessory" }, element(block.accessory, block, form)) : null,
  );
}

function context(block) {
  return el("div", { class: "context" }, block.elements.map((part) => {
    if (part.type === "image") return el("span", { class: "picture" }, part.alt_text);
    return el("span", {}, textObject(part));
  }));
}

function input(block, form) {
  const id = newId("input");
  const told = `${id}-told`;
  const field = element(block.element, block, form, { id, "aria-describedby": told });
  const grouped = field.matches("fieldset, .choices");
  const words = [textObject(block.label), block.optional ? el("span", { class: "optional" }, " (optional)") : null];
  if (grouped) field.setAttribute("aria-label", plainText(block.label));
  return el(
    "div",
    { class: "input", "data-input": block.block_id, "data-focused": block.element.focus_on_load },
    grouped ? el("span", { class: "label" }, words) : el("label", { class: "label", for: id }, words),
    field,
    el("p", { class: "hint", id: told }, el("span", { class: "mistake" }), block.hint ? textObject(block.hint) : null),
  );
}

function container(block, form) {
  const title = block.rich_text_title ? richText(block.rich_text_title) : textObject(block.title);
  const children = blocks(block.child_blocks, form);
  const subtitle = block.subtitle ? el("span", { class: "subtitle" }, textObject(block.subtitle)) : null;
  if (!block.is_collapsible) {
    return el("section", { class: "container" }, el("p", { class: "container-title" }, title, subtitle), children);
  }
  return el(
    "details",
    { class: "container", open: !block.default_collapsed },
    el("summary", { class: "container-title" }, title, subtitle),
    children,
  );
}

// Pictures from elsewhere are named, not fetched: the page loads nothing from outside.
function image(block) {
  const source = block.image_url ? link(block.image_url, block.alt_text) : block.alt_text;
  return el("figure", { class: "picture" }, block.title ? el("figcaption", {}, textObject(block.title)) : null, source);
}

function card(block, form) {
  const line = (name) => (block[name] ? el("p", { class: name }, mrkdwnOf(block[name])) : null);
  return el(
    "article",
    { class: "card" },
    ["title", "subtitle", "body", "subtext"].map(line),
    block.actions ? el("div", { class: "actions" }, block.actions.map((each) => element(each, block, form))) : null,
  );
}

function mrkdwnOf(text) {
  return typeof text === "string" ? mrkdwn(text) : textObject(text);
}
