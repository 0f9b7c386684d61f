// What is filled in, in a message or a view, and where it goes when something is pressed.

import { act } from "/assets/calls.js";

export class Form {
  // `place` says where it stands: {channel, ts} for a message, {view_id} for a view.
  constructor(place, channel, tell) {
    this.place = place;
    this.channel = channel;
    this.tell = tell;
    this.values = {};
  }

  // Keep what was filled in already when a view is drawn anew; else what it begins with.
  begin(block, element, value) {
    const own = (this.values[block.block_id] ??= {});
    if (own[element.action_id]?.type !== element.type) own[element.action_id] = { type: element.type, ...value };
    return own[element.action_id];
  }

  set(block, element, value) {
    this.values[block.block_id] ??= {};
    this.values[block.block_id][element.action_id] = { type: element.type, ...value };
  }

  // Only what the view still holds is reported.
  state(blocks) {
    const known = new Set(flat(blocks).map((block) => block.block_id));
    return Object.fromEntries(Object.entries(this.values).filter(([name]) => known.has(name)));
  }

  async press(block, element, chosen = {}) {
    const ids = { block_id: block.block_id, action_id: element.action_id };
    const answer = await act("press", { ...this.place, ids, chosen, state: this.values });
    if (!answer.ok) this.tell(answer.trouble);
    return answer;
  }

  async suggest(block, element, value) {
    const ids = { block_id: block.block_id, action_id: element.action_id };
    const { view_id: view, channel, ts } = this.place;
    const container = view
      ? { type: "view", view_id: view }
      : { type: "message", channel_id: channel, message_ts: ts };
    return act("suggest", { container, ids, value });
  }
}

function flat(blocks) {
  return blocks.flatMap((block) => [block, ...flat(block.child_blocks ?? [])]);
}
