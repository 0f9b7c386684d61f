// What went between the page's Slack and the bot, newest first.

import { el } from "/assets/dom.js";

export class Traffic {
  constructor(list) {
    this.list = list;
    this.rows = new Map();
  }

  take(thing) {
    this.rows.get(thing.key)?.remove();
    if (thing.gone) return;
    const fine = thing.outcome === "ok" || thing.outcome === "acknowledged";
    const detail = el("pre", { tabindex: 0 });
    const fill = () => { detail.textContent = JSON.stringify(thing.detail, null, 2); };
    const row = el(
      "li",
      { class: fine ? "" : "failed" },
      el(
        "details",
        { ontoggle: fill },
        el("summary", {}, el("span", { class: "what" }, thing.what), el("span", {}, `${thing.outcome} · ${thing.milliseconds} ms`)),
        detail,
      ),
    );
    this.rows.set(thing.key, row);
    this.list.prepend(row);
  }
}
