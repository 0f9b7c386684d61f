// table and data_table: the second sorts by any column and turns its pages.

import { el } from "/assets/dom.js";
import { richText } from "/assets/rich_text.js";

const NEXT_ORDER = { none: "ascending", ascending: "descending", descending: "none" };

export function table(block) {
  const [head, ...rows] = block.rows;
  const side = (column) => block.column_settings?.[column]?.align ?? "left";
  const line = (row, tag) =>
    el("tr", {}, row.map((cell, column) => el(tag, { class: side(column) }, content(cell))));
  return scrolling(
    "Table",
    el("table", {}, el("thead", {}, line(head, "th")), el("tbody", {}, rows.map((row) => line(row, "td")))),
  );
}

export function dataTable(block) {
  return new DataTable(block).drawn();
}

class DataTable {
  constructor(block) {
    [this.head, ...this.rows] = block.rows;
    this.caption = block.caption;
    this.size = block.page_size ?? 5;
    this.headed = block.row_header_column_index ?? 0;
    this.sorted = { column: -1, order: "none" };
    this.page = 0;
    this.numeric = this.head.map((_, column) => mostlyNumbers(this.rows, column));
  }

  drawn() {
    this.headRow = el("tr", {}, this.head.map((cell, column) => this.heading(cell, column)));
    this.body = el("tbody", {});
    this.place = el("span", { class: "place", "aria-live": "polite" });
    this.back = this.turn("‹", "Previous rows", -1);
    this.forth = this.turn("›", "Next rows", 1);
    this.fill();
    const few = this.rows.length <= this.size;
    return el(
      "div",
      { class: "data-table" },
      scrolling(
        this.caption,
        el("table", {}, el("caption", {}, el("span", {}, this.caption)), el("thead", {}, this.headRow), this.body),
      ),
      few ? null : el("div", { class: "pager" }, this.back, this.place, this.forth),
    );
  }

  heading(cell, column) {
    const sort = () => {
      const same = this.sorted.column === column;
      this.sorted = { column, order: same ? NEXT_ORDER[this.sorted.order] : "ascending" };
      this.page = 0;
      this.fill();
    };
    // A word joiner: "$/GPU-h" is one word.
    const words = cell.text.replaceAll("-", "-\u2060");
    const button = el("button", { type: "button", class: "sort", onclick: sort }, words);
    return el("th", { scope: "col", class: this.numeric[column] ? "right" : "left" }, button);
  }

  turn(sign, label, step) {
    const move = () => {
      this.page += step;
      this.fill();
    };
    return el("button", { type: "button", class: "turn", "aria-label": label, onclick: move }, sign);
  }

  fill() {
    const ordered = this.ordered();
    const start = this.page * this.size;
    const shown = ordered.slice(start, start + this.size);
    this.body.replaceChildren(...shown.map((row) => this.line(row)));
    for (const [column, cell] of [...this.headRow.children].entries()) {
      const order = column === this.sorted.column ? this.sorted.order : "none";
      cell.setAttribute("aria-sort", order);
    }
    this.place.textContent = `${start + 1}–${start + shown.length} of ${ordered.length}`;
    this.back.disabled = start === 0;
    this.forth.disabled = start + shown.length >= ordered.length;
  }

  line(row) {
    return el("tr", {}, row.map((cell, column) => {
      const side = this.numeric[column] ? "right" : "left";
      if (column === this.headed) {
        const long = words(cell).length > 16 ? "long" : "";
        return el("th", { scope: "row", class: `${side} ${long}` }, content(cell));
      }
      return el("td", { class: side }, content(cell));
    }));
  }

  ordered() {
    const { column, order } = this.sorted;
    if (order === "none") return this.rows;
    const sign = order === "ascending" ? 1 : -1;
    return [...this.rows].sort((a, b) => sign * compared(a[column], b[column]));
  }
}

// Numbers by value and before words, as a reader of prices expects.
function compared(a, b) {
  const numbers = [a, b].map((cell) => cell.type === "raw_number");
  if (numbers[0] && numbers[1]) return a.value - b.value;
  if (numbers[0] !== numbers[1]) return numbers[0] ? -1 : 1;
  return words(a).localeCompare(words(b), undefined, { numeric: true });
}

function mostlyNumbers(rows, column) {
  const count = rows.filter((row) => row[column]?.type === "raw_number").length;
  return count * 2 > rows.length;
}

function words(cell) {
  return cell.text ?? JSON.stringify(cell.elements ?? "");
}

function content(cell) {
  return cell.type === "rich_text" ? richText(cell) : cell.text;
}

// A table wider than the screen scrolls on its own, by keyboard too.
function scrolling(label, node) {
  return el("div", { class: "scrolling", tabindex: 0, role: "region", "aria-label": label }, node);
}
