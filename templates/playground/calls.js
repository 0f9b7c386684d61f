// What the page asks of the server, each call with the token of this run.

const token = document.querySelector('meta[name="playground-token"]').content;

export class Restarted extends Error {}

async function call(address, options) {
  const headers = { "x-playground-token": token, "content-type": "application/json" };
  const response = await fetch(address, { ...options, headers });
  if (response.status === 403) throw new Restarted();
  if (!response.ok) throw new Error(`The playground answered ${response.status}.`);
  return response.json();
}

export function news(after) {
  return call(`/news?after=${after}`, { method: "GET" });
}

// Do something in the workspace; the answer says whether the bot took it.
export async function act(name, fields) {
  try {
    return await call(`/do/${name}`, { method: "POST", body: JSON.stringify(fields) });
  } catch (fault) {
    return { ok: false, error: "unreachable", trouble: trouble(fault) };
  }
}

export function trouble(fault) {
  if (fault instanceof Restarted) return "The playground was restarted: please reload this page.";
  if (fault instanceof TypeError) return "The playground does not answer: is it still running?";
  return fault.message;
}
