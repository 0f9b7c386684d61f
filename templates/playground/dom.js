// Make elements. Data only ever becomes text nodes and attributes, never markup.

const SVG = "http://www.w3.org/2000/svg";
const LINKS = new Set(["http:", "https:", "mailto:"]);

export function el(tag, attributes, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return node;
}

// A link that a reader may follow; other schemes stay words.
export function link(address, ...label) {
  const words = label.length ? label : [address];
  if (!followable(address)) return el("span", {}, ...words);
  return el("a", { href: address, target: "_blank", rel: "noopener noreferrer" }, ...words);
}

function followable(address) {
  try {
    return LINKS.has(new URL(address).protocol);
  } catch {
    return false;
  }
}

let count = 0;
export function newId(prefix) {
  count += 1;
  return `${prefix}-${count}`;
}
