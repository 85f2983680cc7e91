"use strict";
/* Where attempts come from: packed into a report, or asked of the viewer. */

const page = JSON.parse(document.getElementById("page").textContent);
const FIELDS = page.columns || [];

async function inflate(base64) {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
}

const blocks = new Map();

function block(number) {
  if (!blocks.has(number)) {
    const element = document.getElementById(`block-${number}`);
    blocks.set(number, inflate(element.textContent).then((text) => text.split("\0")));
  }
  return blocks.get(number);
}

async function packedText([number, place]) {
  return (await block(number))[place];
}

async function asked(address) {
  const response = await fetch(address, { headers: { Accept: "application/json" } });
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  return response.json();
}

/* An attempt as an object; `ref` says where its details are packed. */
function rowOf(values, ref) {
  const row = { ref };
  FIELDS.forEach((name, place) => { row[name] = values[place]; });
  row.text = [row.sample, row.model, row.sdk, row.reason, row.fault, row.task, row.language].join("\n").toLowerCase();
  return row;
}

async function loadRows() {
  if (page.kind === "report") {
    const packed = JSON.parse(await inflate(document.getElementById("rows").textContent));
    return packed.rows.map((values, place) => rowOf(values, packed.refs[place]));
  }
  const { rows } = await asked(page.rows);
  return rows.map((values) => rowOf(values, null));
}

async function loadDetails(row) {
  if (page.kind !== "report") {
    return asked(`${page.details}/${encodeURIComponent(row.run)}/${encodeURIComponent(row.id.split("@")[0])}`);
  }
  return JSON.parse(await packedText(row.ref));
}

/* Parts that a report keeps once and names by place; the viewer sends them whole. */
async function textOf(part) {
  return part.ref ? packedText(part.ref) : part.text || "";
}

async function linesOf(file) {
  return file.ref ? JSON.parse(await packedText(file.ref)) : file.lines || [];
}

/* Elements are made here, and text is only ever text. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === "") continue;
    element.append(child);
  }
  return element;
}

function isolated(text) {
  const element = document.createElement("bdi");
  element.textContent = text;
  return element;
}

function badge(outcome) {
  return make("span", { class: `outcome ${outcome.replace("_", "-")}` }, outcome.replace("_", " "));
}

function percent(share) {
  return `${(100 * share).toFixed(1)} %`;
}

/* Redraws a part; a link in it that had the focus has it afterwards, too. */
function keepingFocus(part, draw) {
  const held = part.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  draw();
  if (held === null) return;
  const same = [...part.querySelectorAll("a")].find((link) => link.getAttribute("href") === held);
  if (same) same.focus({ preventScroll: true });
}
