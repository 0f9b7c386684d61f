// The page as a whole: places to be, what is typed, and the news that is drawn.

import { blocks } from "/assets/blocks.js";
import { act, news, Restarted, trouble } from "/assets/calls.js";
import { Modals } from "/assets/modals.js";
import { el } from "/assets/dom.js";
import { Form } from "/assets/forms.js";
import { Conversation } from "/assets/messages.js";
import { Traffic } from "/assets/traffic.js";

const page = document.documentElement;
const { channel, direct, command } = page.dataset;
const find = (selector) => document.querySelector(selector);
const notice = find("#notice");
const field = find("#composer-text");
const examples = find("#examples");
const HINTS = {
  [channel]: ["Start with ", el("code", {}, command), " to ask privately, or ", el("code", {}, "@gpucost"), " to ask in a thread."],
  [direct]: ["A direct message needs no ", el("code", {}, "@gpucost"), "."],
};
const THEMES = { "": ["Auto", "as the system"], light: ["Light", "light"], dark: ["Dark", "dark"] };

let place = channel;
let homeForm = null;

function tell(words) {
  notice.replaceChildren(words, el("button", { type: "button", class: "turn", "aria-label": "Dismiss", onclick: () => tell("") }, "×"));
  notice.hidden = !words;
}

function shortcuts(onMessage) {
  return [...document.querySelectorAll(".shortcut")]
    .filter((each) => each.dataset.onMessage === String(onMessage))
    .map((each) => ({ callback: each.dataset.callback, label: each.textContent, node: each }));
}

function welcome(title, words) {
  const groups = [...examples.querySelectorAll("section")].filter((each) => each.querySelector(".example"));
  const copies = groups.map((each) => each.cloneNode(true));
  return el("div", { class: "welcome" }, el("h2", {}, title), el("p", {}, words), el("div", { class: "tiles" }, copies));
}

const conversations = {
  [channel]: new Conversation(channel, welcome(
    "Which GPUs do we need, and what do they cost?",
    "This is the real bot in a Slack that lives on your machine. Press a question, or type your own.",
  ), tell, shortcuts(true)),
  [direct]: new Conversation(direct, welcome(
    "Just you and the bot",
    "Whatever you write here reaches the bot; no command and no mention is needed.",
  ), tell, shortcuts(true)),
};
const modals = new Modals(tell);
const traffic = new Traffic(find("#calls"));

function go(to) {
  place = to;
  tell("");
  for (const button of document.querySelectorAll("[data-place]")) {
    if (button.dataset.place === to) button.setAttribute("aria-current", "page");
    else button.removeAttribute("aria-current");
  }
  const talk = conversations[to];
  find("#conversation").hidden = !talk;
  find("#composer").hidden = !talk;
  find("#home").hidden = Boolean(talk);
  if (talk) {
    find("#conversation").replaceChildren(talk.node);
    find("#composer-hint").replaceChildren(...HINTS[to]);
    field.focus({ preventScroll: true });
    field.placeholder = to === channel ? `${command} 70b inference 50rps` : "70b inference 50rps";
  }
  showExamples(false);
  if (to === "home") act("look", { tab: "home" }).then(refused);
  if (to === direct) act("look", { tab: "messages" }).then(refused);
}

function refused(answer) {
  if (!answer.ok) tell(answer.trouble);
}

async function say(text) {
  const talk = conversations[place] ?? conversations[channel];
  if (!conversations[place]) go(channel);
  const answer = await talk.say(text);
  if (answer.ok && answer.heard === false) {
    tell(`The bot hears ${command} and @gpucost in a channel, and nothing else that is said there.`);
  } else if (answer.ok) tell("");
}

function ask(question) {
  showExamples(false);
  say(place === direct ? question : `${command} ${question}`);
}

function showExamples(open) {
  examples.classList.toggle("open", open);
  find("#examples-button").setAttribute("aria-expanded", String(open));
}

function drawHome(thing) {
  const home = find("#home");
  if (thing.gone) return;
  homeForm ??= new Form({ view_id: thing.key }, "", tell);
  home.replaceChildren(el("div", { class: "home-view" }, blocks(thing.view.blocks, homeForm)));
}

function take(thing) {
  switch (thing.kind) {
    case "message": {
      const talks = thing.gone ? Object.values(conversations) : [conversations[thing.channel]];
      for (const talk of talks) announce(thing, talk, talk.take(thing));
      break;
    }
    case "view":
      if (thing.gone || thing.position) modals.take(thing);
      else drawHome(thing);
      // A window is an answer as well.
      conversations[thing.channel]?.answered("");
      break;
    case "status":
      conversations[thing.channel]?.status(thing);
      break;
    case "prompts":
      offer(thing);
      break;
    case "call":
      traffic.take(thing);
      break;
    case "setting":
      find("#classic").checked = thing.classic;
      break;
    default:
      console.warn("unknown news", thing);
  }
}

// Bring an answer into view and say its first line to screen readers. One that was
// changed stands where it was looked at, unless a window had the reader's attention.
function announce(thing, talk, done) {
  if (!done) return;
  find("#announcer").textContent = `gpucost: ${thing.text.split("\n")[0]}`;
  if (!fresh || conversations[place] !== talk) return;
  if (done === "changed" && !modals.justSubmitted()) return;
  document.getElementById(`message-${thing.ts}`)?.scrollIntoView({ block: "start", behavior: "smooth" });
}

// The prompts that a bot suggests in its own conversation.
function offer(thing) {
  const prompts = thing.prompts ?? [];
  const tiles = prompts.map((each) =>
    el("li", {}, el("button", { type: "button", class: "example", onclick: () => say(each.message) }, each.title)));
  const welcomeNode = conversations[direct].empty;
  welcomeNode.querySelector(".suggested-prompts")?.remove();
  const said = new Set(prompts.map((each) => each.message));
  for (const section of welcomeNode.querySelectorAll(".tiles section")) {
    const copies = [...section.querySelectorAll(".example")];
    for (const copy of copies) copy.parentElement.hidden = said.has(copy.dataset.question);
    section.hidden = copies.every((copy) => copy.parentElement.hidden);
  }
  if (!tiles.length) return;
  const title = el("h2", {}, thing.title || "The bot suggests");
  welcomeNode.querySelector(".tiles").prepend(el("section", { class: "suggested-prompts" }, title, el("ul", {}, tiles)));
}

// News come in the order of the last change; a conversation reads in that of its making.
function ordered(things) {
  const messages = things.filter((thing) => thing.kind === "message").sort((a, b) => a.key - b.key);
  return [...messages, ...things.filter((thing) => thing.kind !== "message")];
}

let fresh = false;
async function follow() {
  let version = 0;
  let down = false;
  for (;;) {
    try {
      const told = await news(version);
      ordered(told.things).forEach(take);
      version = told.version;
      fresh = true;
      if (down) tell("");
      down = false;
    } catch (fault) {
      tell(trouble(fault));
      if (fault instanceof Restarted) return;
      down = true;
      await new Promise((resolve) => { setTimeout(resolve, 1500); });
    }
  }
}

function dress(theme) {
  const [label, spoken] = THEMES[theme];
  if (theme) page.dataset.theme = theme;
  else delete page.dataset.theme;
  localStorage.setItem("playground-theme", theme);
  find("#theme").textContent = label;
  find("#theme").setAttribute("aria-label", `Colours: ${spoken}`);
}

function grow() {
  field.style.height = "auto";
  field.style.height = `${Math.min(field.scrollHeight, 180)}px`;
}

find("#composer").addEventListener("submit", (event) => {
  event.preventDefault();
  if (!field.value.trim()) return;
  say(field.value);
  field.value = "";
  grow();
});
field.addEventListener("input", grow);
field.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    find("#composer").requestSubmit();
  }
});
document.addEventListener("click", (event) => {
  const { question, place: to } = event.target.closest("[data-question], [data-place]")?.dataset ?? {};
  if (question) ask(question);
  else if (to) go(to);
});
for (const { callback, node } of shortcuts(false)) {
  node.addEventListener("click", () => act("shortcut", { callback_id: callback, channel: place }).then(refused));
}
find("#examples-button").addEventListener("click", () => showExamples(!examples.classList.contains("open")));
find("#classic").addEventListener("change", (event) => act("blocks", { classic: event.target.checked }).then(refused));
find("#clear").addEventListener("click", () => act("clear", {}).then(refused));
find("#traffic-button").addEventListener("click", (event) => {
  const aside = find("#traffic");
  aside.hidden = !aside.hidden;
  event.target.setAttribute("aria-expanded", String(!aside.hidden));
});
find("#theme").addEventListener("click", () => {
  const names = Object.keys(THEMES);
  dress(names[(names.indexOf(page.dataset.theme ?? "") + 1) % names.length]);
});

dress(page.dataset.theme ?? "");
go(channel);
follow();
