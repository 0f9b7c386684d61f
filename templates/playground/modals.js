// The bot's modals: drawn, filled in, submitted.

import { blocks } from "/assets/blocks.js";
import { act } from "/assets/calls.js";
import { el, newId } from "/assets/dom.js";
import { Form } from "/assets/forms.js";
import { plainText, textObject } from "/assets/mrkdwn.js";

const ATTENTION = 5000;
const FIELDS = ":is(input, select, textarea, summary)";

// The modals that are open, drawn one at a time: the one on top.
export class Modals {
  constructor(tell) {
    this.tell = tell;
    this.views = new Map();
    this.forms = new Map();
    this.submitted = 0;
    this.dialog = el("dialog", { class: "modal", "aria-labelledby": "modal-title", oncancel: (event) => this.cancelled(event) });
    document.body.append(this.dialog);
  }

  // Take a view as it came as news.
  take(thing) {
    const id = thing.key;
    if (thing.gone) {
      this.views.delete(id);
      this.forms.delete(id);
    } else {
      this.views.set(id, thing);
      if (!this.forms.has(id)) this.forms.set(id, new Form({ view_id: id }, thing.channel, this.tell));
    }
    this.draw();
  }

  draw() {
    const top = [...this.views.values()].sort((a, b) => a.position - b.position).at(-1);
    if (!top) {
      this.shown = null;
      if (this.dialog.open) this.dialog.close();
      return;
    }
    if (this.shown === top) return;
    this.shown = top;
    this.dialog.replaceChildren(this.window(top));
    if (!this.dialog.open) this.dialog.showModal();
    const body = this.dialog.querySelector(".modal-body");
    const wanted = body.querySelector(`[data-focused] ${FIELDS}`) ?? body.querySelector(FIELDS);
    (wanted ?? this.dialog).focus();
  }

  window({ view, position }) {
    const form = this.forms.get(view.id);
    const close = () => this.dismiss(view, false);
    const submit = (event) => {
      event.preventDefault();
      this.submit(view, form);
    };
    this.sendButton = view.submit ? el("button", { type: "submit", class: "button primary" }, textObject(view.submit)) : null;
    this.trouble = el("p", { class: "mistake", role: "alert" });
    return el(
      "form",
      { novalidate: true, onsubmit: submit, id: newId("modal") },
      el(
        "header",
        {},
        position > 1 ? el("button", { type: "button", class: "turn", "aria-label": "Back", onclick: close }, "‹") : null,
        el("h2", { id: "modal-title" }, textObject(view.title)),
        el("button", { type: "button", class: "turn", "aria-label": "Close", onclick: () => this.dismiss(view, position > 1) }, "×"),
      ),
      el("div", { class: "modal-body" }, blocks(view.blocks, form)),
      this.trouble,
      el(
        "footer",
        {},
        el("button", { type: "button", class: "button", onclick: close }, view.close ? textObject(view.close) : "Cancel"),
        this.sendButton,
      ),
    );
  }

  cancelled(event) {
    event.preventDefault();
    if (this.shown) this.dismiss(this.shown.view, false);
  }

  async dismiss(view, cleared) {
    const answer = await act("dismiss", { view_id: view.id, cleared });
    if (!answer.ok) this.tell(answer.trouble);
  }

  async submit(view, form) {
    this.mistakes({});
    const missing = emptyOnes(view.blocks, form);
    if (Object.keys(missing).length) return this.mistakes(missing);
    this.sendButton.disabled = true;
    this.sendButton.setAttribute("aria-busy", "true");
    const answer = await act("submit", { view_id: view.id, state: form.state(view.blocks) });
    this.sendButton.disabled = false;
    this.sendButton.removeAttribute("aria-busy");
    if (!answer.ok) this.trouble.textContent = answer.trouble;
    else if (answer.errors) this.mistakes(answer.errors);
    else this.submitted = Date.now();
    return undefined;
  }

  justSubmitted() {
    return Date.now() - this.submitted < ATTENTION;
  }

  // Say beneath each field what is wrong with it, and go to the first.
  mistakes(errors) {
    let first = null;
    for (const box of this.dialog.querySelectorAll("[data-input]")) {
      const said = errors[box.dataset.input] ?? "";
      box.querySelector(".mistake").textContent = said;
      const field = box.querySelector("input, select, textarea, summary");
      field?.setAttribute("aria-invalid", String(Boolean(said)));
      if (said) first ??= field;
    }
    first?.focus();
  }
}

// Slack itself sees to it that what is required is there.
function emptyOnes(list, form) {
  const found = {};
  for (const block of list) {
    if (block.type === "container") Object.assign(found, emptyOnes(block.child_blocks, form));
    if (block.type !== "input" || block.optional) continue;
    const { type, ...value } = form.values[block.block_id]?.[block.element.action_id] ?? {};
    const filled = Object.values(value).some((each) => (Array.isArray(each) ? each.length : each));
    if (!filled) found[block.block_id] = `Please fill in ${plainText(block.label).toLowerCase()}.`;
  }
  return found;
}
