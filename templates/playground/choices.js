// Selects of every kind, radio buttons and checkboxes.

import { el, newId } from "/assets/dom.js";
import { plainText, textObject } from "/assets/mrkdwn.js";

const PAGE = document.documentElement.dataset;
const PEOPLE = [[PAGE.visitor, "You"], [PAGE.bot, "gpucost"]];
const CHANNELS = [[PAGE.channel, "#gpu-costs"]];
const DIRECT = [[PAGE.direct, "@gpucost"]];
const SETS = {
  users: { pairs: PEOPLE, one: "selected_user", many: "selected_users" },
  channels: { pairs: CHANNELS, one: "selected_channel", many: "selected_channels" },
  conversations: { pairs: [...CHANNELS, ...DIRECT], one: "selected_conversation", many: "selected_conversations" },
};

// A group of radio buttons or checkboxes.
export function choices(spec, block, form, send) {
  const single = spec.type === "radio_buttons";
  const begun = single
    ? { selected_option: spec.initial_option ?? null }
    : { selected_options: spec.initial_options ?? [] };
  const kept = form.begin(block, spec, begun);
  const chosen = new Set((single ? [kept.selected_option] : kept.selected_options).map((o) => o?.value));
  return group(spec.options, chosen, single, (options) =>
    send(single ? { selected_option: options[0] ?? null } : { selected_options: options }));
}

function group(options, chosen, single, send) {
  const name = newId("group");
  const boxes = options.map((option) =>
    el("input", { type: single ? "radio" : "checkbox", name, checked: chosen.has(option.value) }));
  const changed = () => send(options.filter((_, n) => boxes[n].checked));
  return el("fieldset", { class: "choices", onchange: changed }, options.map((option, n) =>
    el("label", {}, boxes[n], el("span", {}, textObject(option.text), described(option)))));
}

function described(option) {
  return option.description ? el("small", {}, textObject(option.description)) : null;
}

export function select(spec, block, form, send, naming) {
  const many = spec.type.startsWith("multi_");
  const kind = spec.type.replace("multi_", "").replace("_select", "");
  if (kind === "static") return ofOptions(spec, block, form, send, naming, many);
  if (kind === "external") return suggested(spec, block, form, send, naming, many);
  return ofSet(SETS[kind], spec, block, form, send, naming, many);
}

// Options, in groups or not, of which each is sent back whole.
function ofOptions(spec, block, form, send, naming, many) {
  const groups = spec.option_groups ?? [{ options: spec.options ?? [] }];
  const options = groups.flatMap((each) => each.options);
  if (many) {
    const begun = form.begin(block, spec, { selected_options: spec.initial_options ?? [] }).selected_options;
    return dropdown(spec, options, new Set(begun.map((o) => o.value)), (found) => send({ selected_options: found }));
  }
  const begun = form.begin(block, spec, { selected_option: spec.initial_option ?? null }).selected_option;
  const index = options.findIndex((option) => option.value === begun?.value);
  const node = el("select", naming, el("option", { value: "" }, plainText(spec.placeholder) || "Choose"), grouped(groups, options));
  node.value = index < 0 ? "" : String(index);
  node.addEventListener("change", () => send({ selected_option: options[node.value] ?? null }));
  return node;
}

function grouped(groups, options) {
  return groups.map((each) => {
    const own = each.options.map((option) =>
      el("option", { value: options.indexOf(option) }, plainText(option.text)));
    return each.label ? el("optgroup", { label: plainText(each.label) }, own) : own;
  });
}

// People, channels or conversations of the workspace, sent back by their ids.
function ofSet(set, spec, block, form, send, naming, many) {
  const options = set.pairs.map(([value, name]) => ({ value, text: { type: "plain_text", text: name } }));
  const key = many ? set.many : set.one;
  const begun = spec[key.replace("selected_", "initial_")] ?? (spec.default_to_current_conversation ? form.channel : null);
  const kept = form.begin(block, spec, { [key]: begun ?? (many ? [] : null) })[key];
  if (many) {
    return dropdown(spec, options, new Set(kept), (found) => send({ [key]: found.map((o) => o.value) }));
  }
  const node = el("select", naming, el("option", { value: "" }, plainText(spec.placeholder) || "Choose"),
    options.map((option) => el("option", { value: option.value }, option.text.text)));
  node.value = kept ?? "";
  node.addEventListener("change", () => send({ [key]: node.value || null }));
  return node;
}

// Several of many: checkboxes that fold away beneath what was chosen.
function dropdown(spec, options, chosen, send) {
  const words = (found) => found.map((o) => plainText(o.text)).join(", ") || plainText(spec.placeholder) || "Choose";
  const summary = el("summary", {}, words(options.filter((o) => chosen.has(o.value))));
  const changed = (found) => {
    summary.textContent = words(found);
    send(found);
  };
  return el("details", { class: "choices several" }, summary, group(options, chosen, false, changed));
}

// Options that the bot supplies as somebody types.
function suggested(spec, block, form, send, naming, many) {
  const id = newId("found");
  const list = el("datalist", { id });
  const begun = many ? spec.initial_options?.[0] : spec.initial_option;
  let known = begun ? [begun] : [];
  const node = el("input", { ...naming, type: "text", list: id, placeholder: plainText(spec.placeholder) });
  node.value = plainText(begun?.text);
  form.begin(block, spec, many ? { selected_options: known } : { selected_option: begun ?? null });
  node.addEventListener("input", async () => {
    const chosen = known.find((option) => plainText(option.text) === node.value);
    if (chosen) return send(many ? { selected_options: [chosen] } : { selected_option: chosen });
    if (node.value.length < (spec.min_query_length ?? 3)) return undefined;
    const answer = await form.suggest(block, spec, node.value);
    known = [...(answer.options ?? []), ...(answer.option_groups ?? []).flatMap((each) => each.options)];
    list.replaceChildren(...known.map((option) => el("option", { value: plainText(option.text) })));
    return undefined;
  });
  return el("span", { class: "suggested" }, node, list);
}
