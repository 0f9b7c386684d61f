// The window that asks before a press does anything.

import { el } from "/assets/dom.js";
import { textObject } from "/assets/mrkdwn.js";

// Ask before an element with a confirm object does anything; true without one.
export function confirmed(spec) {
  if (!spec) return Promise.resolve(true);
  return new Promise((decide) => {
    const close = (answer) => () => dialog.close(answer);
    const dialog = el(
      "dialog",
      { class: "modal small", onclose: () => { decide(dialog.returnValue === "yes"); dialog.remove(); } },
      el("h2", {}, textObject(spec.title)),
      el("div", { class: "modal-body" }, textObject(spec.text)),
      el(
        "footer",
        {},
        el("button", { type: "button", class: "button", onclick: close("no") }, textObject(spec.deny)),
        el("button", { type: "button", class: `button ${spec.style ?? "primary"}`, onclick: close("yes") }, textObject(spec.confirm)),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}
