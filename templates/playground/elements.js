// Whatever can be pressed or filled in.

import { choices, select } from "/assets/choices.js";
import { confirmed } from "/assets/confirm.js";
import { el, link } from "/assets/dom.js";
import { plainText, textObject } from "/assets/mrkdwn.js";

const FIELDS = {
  plain_text_input: { type: "text" },
  number_input: { type: "number" },
  url_text_input: { type: "url" },
  email_text_input: { type: "email" },
};
const DATES = {
  datepicker: ["date", "selected_date", "initial_date"],
  timepicker: ["time", "selected_time", "initial_time"],
};
const ICONS = { trash: "🗑" };

// Draw one element; `naming` holds the attributes by which a label finds its field.
export function element(spec, block, form, naming = {}) {
  const { type } = spec;
  if (type === "button") return button(spec, block, form);
  if (type === "overflow") return overflow(spec, block, form);
  if (type === "feedback_buttons") return feedback(spec, block, form);
  if (type === "icon_button") return iconButton(spec, block, form);
  if (type === "image") return el("span", { class: "picture" }, spec.alt_text);
  const named = { "aria-label": naming.id ? null : plainText(spec.placeholder) || type, ...naming };
  if (FIELDS[type]) return textField(spec, block, form, named);
  if (DATES[type]) return dateField(spec, block, form, named);
  if (type === "datetimepicker") return momentField(spec, block, form, named);
  if (type === "radio_buttons" || type === "checkboxes") return choices(spec, block, form, sent(spec, block, form));
  if (type.endsWith("_select")) return select(spec, block, form, sent(spec, block, form), named);
  return el("pre", { class: "unknown" }, JSON.stringify(spec, null, 2));
}

// Choosing tells the bot at once, but in an input block only where that says so.
function sent(spec, block, form) {
  return async (chosen) => {
    form.set(block, spec, chosen);
    if (block.type === "input" && !block.dispatch_action) return;
    if (!(await confirmed(spec.confirm))) return;
    await form.press(block, spec, chosen);
  };
}

// A button is busy until the bot has acknowledged; a redrawn message replaces it.
function pressable(spec, block, form, attributes, content, chosen) {
  const press = async () => {
    if (!(await confirmed(spec.confirm))) return;
    node.disabled = true;
    node.setAttribute("aria-busy", "true");
    await form.press(block, spec, chosen);
    node.disabled = false;
    node.removeAttribute("aria-busy");
  };
  const node = el("button", { type: "button", ...attributes, onclick: press }, content);
  return node;
}

function button(spec, block, form) {
  if (spec.url) {
    const node = link(spec.url, textObject(spec.text));
    node.classList.add("button");
    node.addEventListener("click", () => form.press(block, spec));
    return node;
  }
  const label = spec.accessibility_label;
  return pressable(spec, block, form, { class: `button ${spec.style ?? ""}`, "aria-label": label }, textObject(spec.text));
}

function feedback(spec, block, form) {
  return el("span", { class: "feedback" }, ["positive_button", "negative_button"].map((name) => {
    const own = spec[name];
    const attributes = { class: "button", "aria-label": own.accessibility_label };
    return pressable(spec, block, form, attributes, textObject(own.text), { value: own.value });
  }));
}

function iconButton(spec, block, form) {
  const attributes = { class: "button", "aria-label": spec.accessibility_label ?? plainText(spec.text) };
  return pressable(spec, block, form, attributes, [ICONS[spec.icon] ?? "•", " ", textObject(spec.text)]);
}

function overflow(spec, block, form) {
  const send = sent(spec, block, form);
  const items = spec.options.map((option) => {
    const choose = () => {
      menu.open = false;
      send({ selected_option: option });
    };
    return el("li", {}, el("button", { type: "button", onclick: choose }, textObject(option.text)));
  });
  const menu = el("details", { class: "overflow" }, el("summary", { class: "button", "aria-label": "More" }, "⋯"), el("ul", {}, items));
  return menu;
}

function textField(spec, block, form, naming) {
  const value = form.begin(block, spec, { value: spec.initial_value ?? null }).value;
  const attributes = {
    ...naming,
    ...FIELDS[spec.type],
    placeholder: plainText(spec.placeholder),
    maxlength: spec.max_length,
    minlength: spec.min_length,
    min: spec.min_value,
    max: spec.max_value,
    step: spec.type === "number_input" ? (spec.is_decimal_allowed ? "any" : "1") : null,
  };
  const node = spec.multiline
    ? el("textarea", { ...attributes, type: null, rows: 3 })
    : el("input", attributes);
  node.value = value ?? "";
  const keep = () => form.set(block, spec, { value: node.value || null });
  node.addEventListener("input", keep);
  if (block.dispatch_action) node.addEventListener("change", () => form.press(block, spec, { value: node.value }));
  return node;
}

function dateField(spec, block, form, naming) {
  const [type, chosen, initial] = DATES[spec.type];
  const value = form.begin(block, spec, { [chosen]: spec[initial] ?? null })[chosen];
  const node = el("input", { ...naming, type });
  node.value = value ?? "";
  const send = sent(spec, block, form);
  node.addEventListener("change", () => send({ [chosen]: node.value || null }));
  return node;
}

// Slack counts seconds since 1970; the field shows the reader's own time.
function momentField(spec, block, form, naming) {
  const seconds = form.begin(block, spec, { selected_date_time: spec.initial_date_time ?? null }).selected_date_time;
  const node = el("input", { ...naming, type: "datetime-local" });
  if (seconds) {
    const shift = new Date(seconds * 1000).getTimezoneOffset() * 60;
    node.value = new Date((seconds - shift) * 1000).toISOString().slice(0, 16);
  }
  const send = sent(spec, block, form);
  node.addEventListener("change", () => send({ selected_date_time: Math.floor(new Date(node.value) / 1000) }));
  return node;
}

