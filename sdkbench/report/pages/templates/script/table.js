"use strict";
/* The attempts table: filters, search, sorting and pages, all of it kept in the address. */

const PER_PAGE = 50;
const FILTERS = {
  suite: "Suite", run: "Run", model: "Model", sdk: "SDK or dataset", language: "Language", task: "Task type",
  difficulty: "Difficulty", outcome: "Outcome", fault: "Reason class", assurance: "Assurance",
};
const COLUMNS = [
  { name: "outcome", title: "Outcome", cell: (row) => badge(row.outcome) },
  { name: "sample", title: "Sample", cell: (row) => [make("a", { href: linkTo(row) }, isolated(row.sample)), make("small", { class: "narrow-only" }, "by ", isolated(row.model))] },
  { name: "model", title: "Model", wide: true, cell: (row) => isolated(row.model) },
  { name: "trial", title: "Trial", number: true, wide: true, needed: (row) => row.trial > 0, cell: (row) => String(row.trial) },
  { name: "tests_passed", title: "Tests", number: true, wide: true, needed: (row) => row.tests_total > 0, cell: (row) => (row.tests_total ? `${row.tests_passed}/${row.tests_total}` : "") },
  { name: "score", title: "Score", number: true, wide: true, needed: (row) => row.score % 100 !== 0, cell: (row) => String(row.score) },
  { name: "seconds", title: "Seconds", number: true, wide: true, cell: (row) => row.seconds.toFixed(2) },
  { name: "output_tokens", title: "Tokens", number: true, wide: true, needed: (row) => row.output_tokens !== null, cell: (row) => tokens(row) },
  { name: "cost", title: "Cost", number: true, wide: true, needed: (row) => row.cost !== null, cell: (row) => (row.cost === null ? "" : `$${row.cost.toFixed(4)}`) },
  { name: "reason", title: "Reason", wide: true, cell: (row) => isolated(row.reason) },
];

let rows = [];
let chosen = [];
let fresh = new Set();
let drawn = null; // the filters that the table shows

function tokens(row) {
  return row.output_tokens === null ? "" : ((row.input_tokens || 0) + row.output_tokens).toLocaleString("en");
}

function state() {
  return new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");
}

function address(changes) {
  const parameters = state();
  for (const [name, value] of Object.entries(changes)) {
    if (value) parameters.set(name, value);
    else parameters.delete(name);
  }
  return `#${parameters}`;
}

function linkTo(row) {
  return address({ attempt: row.id });
}

/* Without a new step in the history: typing a word is not ten of them. */
function change(changes) {
  const next = address(changes);
  history.replaceState(null, "", next === "#" ? location.pathname + location.search : next);
  showTable();
}

function matching(parameters) {
  const words = (parameters.get("q") || "").toLowerCase().split(/\s+/).filter(Boolean);
  const wanted = Object.keys(FILTERS).filter((name) => parameters.has(name)).map((name) => [name, parameters.get(name)]);
  return rows.filter((row) => wanted.every(([name, value]) => String(row[name]) === value)
    && words.every((word) => row.text.includes(word)));
}

function sorted(list, key) {
  if (!key) return list;
  const name = key.replace(/^-/, "");
  const sign = key.startsWith("-") ? -1 : 1;
  const compare = (a, b) => {
    if (a === b) return 0;
    if (a === null || a === "") return 1;
    if (b === null || b === "") return -1;
    if (typeof a === "number" && typeof b === "number") return sign * (a - b);
    return sign * String(a).localeCompare(String(b), "en", { numeric: true });
  };
  return [...list].sort((first, second) => compare(first[name], second[name]));
}

function shownColumns() {
  return COLUMNS.filter((column) => !column.needed || rows.some(column.needed));
}

function drawHead(sort, known) {
  const head = document.querySelector(".attempts thead tr");
  if (head.children.length !== known.length) {
    head.replaceChildren(...known.map((column) => {
      const button = make("button", { type: "button", "data-column": column.name }, column.title);
      return make("th", { scope: "col", class: [column.number && "number", column.wide && "wide-only"].filter(Boolean).join(" ") }, button);
    }));
  }
  known.forEach((column, place) => {
    const direction = sort === column.name ? "ascending" : sort === `-${column.name}` ? "descending" : "none";
    head.children[place].setAttribute("aria-sort", direction);
  });
}

function drawRow(row, columns) {
  const cells = columns.map((column) => {
    const names = [column.number && "number", column.wide && "wide-only", column.name === "reason" && "reason"];
    return make("td", { class: names.filter(Boolean).join(" ") || null, title: column.name === "reason" ? row.reason : null }, column.cell(row));
  });
  return make("tr", { "data-id": row.id, class: fresh.has(row.id) ? "new" : null }, cells);
}

function showTable() {
  const parameters = state();
  drawn = filtersOf(parameters);
  chosen = sorted(matching(parameters), parameters.get("sort"));
  const last = Math.max(Math.ceil(chosen.length / PER_PAGE) - 1, 0);
  const number = Math.min(Math.max(Number(parameters.get("page") || 1) - 1, 0) || 0, last);
  const start = number * PER_PAGE;
  const shown = chosen.slice(start, start + PER_PAGE);
  const columns = shownColumns();
  drawHead(parameters.get("sort"), columns);
  const body = document.querySelector(".attempts tbody");
  keepingFocus(body, () => body.replaceChildren(...shown.map((row) => drawRow(row, columns))));
  const every = rows.length === chosen.length ? "" : ` of ${rows.length.toLocaleString("en")}`;
  const passed = chosen.filter((row) => row.outcome === "passed").length;
  document.querySelector("#attempts .status").textContent = `${chosen.length.toLocaleString("en")}${every} attempts, ${passed.toLocaleString("en")} passed`;
  const pages = document.querySelector(".pages");
  pages.hidden = last === 0;
  pages.querySelector("span").textContent = `${start + 1}–${start + shown.length} of ${chosen.length.toLocaleString("en")}`;
  pages.querySelector("[data-page='-1']").disabled = number === 0;
  pages.querySelector("[data-page='1']").disabled = number === last;
  drawFilters(parameters);
  drawHeatmap(chosen);
}

function drawFilters(parameters) {
  const place = document.querySelector(".selects");
  const labels = Object.entries(FILTERS).map(([name, title]) => {
    const counts = new Map();
    for (const row of rows) counts.set(String(row[name]), (counts.get(String(row[name])) || 0) + 1);
    const current = parameters.get(name);
    if (counts.size < 2 && current === null) return null;
    const values = [...counts.keys()].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
    if (current !== null && !counts.has(current)) values.push(current);
    const options = values.map((value) => make("option", { value: `=${value}`, selected: value === current },
      `${value.replace("not_executed", "not executed") || "(none)"} (${counts.get(value) || 0})`));
    return make("label", {}, title, make("select", { name }, make("option", { value: "" }, "all"), options));
  });
  // A list that is open or has the focus stays as it is.
  if (!place.contains(document.activeElement)) place.replaceChildren(...labels.filter(Boolean));
  const active = Object.keys(FILTERS).filter((name) => parameters.has(name)).length;
  document.querySelector("[data-filter-count]").textContent = active ? `(${active})` : "";
  document.querySelector("[data-clear]").hidden = !active && !parameters.get("q");
  const search = document.querySelector("input[name=q]");
  if (document.activeElement !== search) search.value = parameters.get("q") || "";
}

function listenToTable() {
  const section = document.getElementById("attempts");
  section.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
  section.querySelector("input[name=q]").addEventListener("input", (event) => change({ q: event.target.value, page: null }));
  section.querySelector(".selects").addEventListener("change", (event) => {
    const { name, value } = event.target;
    const parameters = state();
    parameters.delete("page");
    if (value) parameters.set(name, value.slice(1));
    else parameters.delete(name);
    history.replaceState(null, "", `#${parameters}`);
    showTable();
  });
  section.querySelector("[data-clear]").addEventListener("click", () => {
    history.replaceState(null, "", location.pathname + location.search);
    showTable();
    section.querySelector("input[name=q]").focus();
  });
  section.querySelector("thead").addEventListener("click", (event) => {
    const name = event.target.dataset.column;
    if (!name) return;
    const current = state().get("sort");
    change({ sort: current === name ? `-${name}` : current === `-${name}` ? null : name, page: null });
    section.querySelector(`[data-column=${name}]`).focus();
  });
  section.querySelector(".pages").addEventListener("click", (event) => {
    if (event.target.dataset.page) change({ page: String(Number(state().get("page") || 1) + Number(event.target.dataset.page)) });
  });
  section.querySelector("tbody").addEventListener("click", (event) => {
    const row = event.target.closest("tr");
    if (row && !event.target.closest("a") && !String(getSelection())) location.hash = address({ attempt: row.dataset.id });
  });
}
