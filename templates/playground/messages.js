// A conversation: messages in order, replies under their root, what waits for an answer.

import { blocks } from "/assets/blocks.js";
import { act } from "/assets/calls.js";
import { el } from "/assets/dom.js";
import { Form } from "/assets/forms.js";
import { mrkdwn, unescaped } from "/assets/mrkdwn.js";

const PATIENCE = 15000;
const NAMES = { [document.documentElement.dataset.visitor]: "You" };

export class Conversation {
  // `channel` is an id; `empty` draws what stands where nothing was said yet.
  constructor(channel, empty, tell, shortcuts) {
    this.channel = channel;
    this.tell = tell;
    this.shortcuts = shortcuts;
    this.nodes = new Map();
    this.waits = new Map();
    this.statuses = new Map();
    this.empty = empty;
    this.list = el("ol", { class: "messages" });
    this.node = el("div", { class: "conversation" }, this.empty, this.list);
  }

  // Take a message as it came as news; say whether the bot said or changed something.
  take(thing) {
    const { key: ts } = thing;
    const known = this.nodes.get(ts);
    if (thing.gone) {
      known?.remove();
      this.nodes.delete(ts);
    } else {
      const drawn = this.message(thing, known);
      if (known) replace(known, drawn);
      else this.place(thing, drawn);
      this.nodes.set(ts, drawn);
      if (thing.bot) this.answered(thing.thread_ts);
    }
    this.empty.hidden = this.nodes.size > 0;
    if (thing.gone || !thing.bot) return "";
    return known ? "changed" : "said";
  }

  place(thing, drawn) {
    const root = thing.thread_ts ? this.nodes.get(thing.thread_ts) : null;
    const home = root ? root.querySelector(".thread > .replies") : this.list;
    home.append(drawn);
  }

  message(thing, known) {
    const form = new Form({ channel: thing.channel, ts: thing.ts }, thing.channel, this.tell);
    const name = NAMES[thing.user] ?? "gpucost";
    const when = new Date(Number(thing.ts) * 1000);
    const inThread = Boolean(thing.thread_ts);
    return el(
      "li",
      { class: `message ${thing.bot ? "bot" : "own"} ${thing.ephemeral ? "ephemeral" : ""}`, id: `message-${thing.ts}`, tabindex: -1 },
      el("span", { class: "avatar", "aria-hidden": "true" }, name[0].toUpperCase()),
      el(
        "div",
        { class: "said" },
        el(
          "p",
          { class: "byline" },
          el("strong", {}, name),
          thing.bot ? el("span", { class: "badge" }, "APP") : null,
          el("time", { datetime: when.toISOString() }, when.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })),
          thing.edited ? el("span", { class: "edited" }, "(edited)") : null,
          thing.ephemeral ? el("span", { class: "private" }, "Only visible to you") : null,
        ),
        el("div", { class: "content" }, content(thing, form)),
        this.extras(thing),
        inThread ? null : this.thread(thing, known),
      ),
    );
  }

  // A thread outlives the redrawing of its root.
  thread(thing, known) {
    const kept = known?.querySelector(".thread");
    return kept ?? el("div", { class: "thread" }, el("ol", { class: "replies" }));
  }

  extras(thing) {
    const root = thing.thread_ts || thing.ts;
    const reply = el("button", { type: "button", class: "extra", onclick: () => this.replyTo(root) }, "Reply in thread");
    const taken = this.shortcuts.map(({ label, callback }) => {
      const take = async () => {
        const answer = await act("shortcut", { callback_id: callback, channel: thing.channel, ts: thing.ts });
        if (!answer.ok) this.tell(answer.trouble);
      };
      return el("button", { type: "button", class: "extra", onclick: take }, label);
    });
    return el(
      "div",
      { class: "extras" },
      thing.ephemeral ? null : [thing.thread_ts ? null : reply, taken],
      thing.blocks.length ? source(thing) : null,
    );
  }

  // Open the field for a reply under a message.
  replyTo(root) {
    const thread = this.nodes.get(root).querySelector(".thread");
    const open = thread.querySelector(".reply");
    if (open) return open.querySelector("textarea").focus();
    const field = el("textarea", { rows: 1, "aria-label": "Reply in thread", placeholder: "@gpucost what about int8?", spellcheck: "false" });
    const send = async (event) => {
      event.preventDefault();
      const text = field.value;
      if (!text.trim()) return;
      field.value = "";
      await this.say(text, root);
    };
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing) send(event);
      if (event.key === "Escape") form.remove();
    });
    const form = el("form", { class: "reply", onsubmit: send }, field, el("button", { type: "submit", class: "send" }, "Reply"));
    thread.append(form);
    return field.focus();
  }

  // Say something, and show that an answer is being worked on.
  async say(text, threadTs = "") {
    const waiting = this.wait(threadTs);
    const answer = await act("say", { channel: this.channel, text, thread_ts: threadTs });
    if (!answer.ok) this.tell(answer.trouble);
    if (!answer.ok || answer.heard === false) this.answered(threadTs, waiting);
    return answer;
  }

  wait(threadTs) {
    const words = el("span", {}, "gpucost is working…");
    const node = el("li", { class: "waiting", role: "status" }, el("span", { class: "pulse", "aria-hidden": "true" }), words);
    const key = threadTs || "root";
    const late = setTimeout(() => {
      node.classList.add("late");
      words.textContent = "No answer has come yet. Traffic, at the top, shows what the bot was sent.";
    }, PATIENCE);
    this.waits.set(key, [...(this.waits.get(key) ?? []), { node, late, words }]);
    const root = threadTs ? this.nodes.get(threadTs)?.querySelector(".replies") : null;
    (root ?? this.node).append(node);
    node.scrollIntoView({ block: "nearest" });
    return node;
  }

  // A mention in the channel is answered in its thread: that ends the wait as well.
  answered(threadTs, node = null) {
    for (const key of [threadTs || "root", "root"]) {
      const waits = this.waits.get(key) ?? [];
      const done = node ? waits.find((each) => each.node === node) : waits[0];
      if (!done) continue;
      clearTimeout(done.late);
      done.node.remove();
      this.waits.set(key, waits.filter((each) => each !== done));
      return;
    }
  }

  // What the bot says it is doing takes the place of our own words.
  status({ thread_ts: threadTs, status }) {
    const waits = this.waits.get(threadTs || "root") ?? this.waits.get("root") ?? [];
    if (status) waits.forEach((each) => { each.words.textContent = `gpucost ${status}`; });
  }
}

function content(thing, form) {
  if (thing.blocks.length) return blocks(thing.blocks, form);
  const plain = thing.mrkdwn === false;
  return el("div", { class: "section-text" }, plain ? unescaped(thing.text) : mrkdwn(thing.text));
}

// What was sent, for whoever designs it.
function source(thing) {
  const shown = el("pre", { tabindex: 0 });
  const fill = () => { shown.textContent = JSON.stringify(thing.blocks, null, 2); };
  const words = el("pre", { tabindex: 0 }, thing.text);
  return el(
    "details",
    { class: "extra source", ontoggle: fill },
    el("summary", {}, "Source"),
    el("h4", {}, "Text, for notifications and screen readers"),
    words,
    el("h4", {}, "Blocks"),
    shown,
  );
}

function replace(known, drawn) {
  const focused = known.contains(document.activeElement) && !known.querySelector(".thread")?.contains(document.activeElement);
  known.replaceWith(drawn);
  if (focused) drawn.focus({ preventScroll: true });
}
