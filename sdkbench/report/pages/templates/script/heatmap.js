"use strict";
/* Samples × models: a table with a figure and a colour in each cell. */

const FIRST_SAMPLES = 40;
let everySample = false;
const severalRuns = Object.keys(page.runs || {}).length > 1;

function entryOf(row) {
  return severalRuns ? `${row.model} · ${page.runs[row.run]}` : row.model;
}

function samplesOf(list) {
  const samples = new Map();
  for (const row of list) {
    const name = `${row.sdk}/${row.sample}`;
    if (!samples.has(name)) samples.set(name, { name, sdk: row.sdk, sample: row.sample, cells: new Map() });
    const cells = samples.get(name).cells;
    const entry = entryOf(row);
    if (!cells.has(entry)) cells.set(entry, { rows: [], judged: 0, passed: 0, invalid: 0 });
    const cell = cells.get(entry);
    cell.rows.push(row);
    if (["passed", "failed", "invalid"].includes(row.outcome)) cell.judged += 1;
    if (row.outcome === "passed") cell.passed += 1;
    if (row.outcome === "invalid") cell.invalid += 1;
  }
  return [...samples.values()];
}

function orderedSamples(samples, order) {
  const shares = (sample) => [...sample.cells.values()].filter((cell) => cell.judged).map((cell) => cell.passed / cell.judged);
  const mean = (sample) => { const all = shares(sample); return all.length ? all.reduce((a, b) => a + b, 0) / all.length : 2; };
  const spread = (sample) => { const all = shares(sample); return all.length ? Math.max(...all) - Math.min(...all) : -1; };
  const byName = (a, b) => a.name.localeCompare(b.name, "en", { numeric: true });
  if (order === "hard") return samples.sort((a, b) => mean(a) - mean(b) || byName(a, b));
  if (order === "divided") return samples.sort((a, b) => spread(b) - spread(a) || byName(a, b));
  return samples.sort(byName);
}

function heatCell(sample, entry) {
  const cell = sample.cells.get(entry);
  if (!cell) return make("td", { class: "empty" }, "·");
  const share = cell.judged ? cell.passed / cell.judged : null;
  const first = cell.rows[0];
  const words = (cell.judged ? `${cell.passed}/${cell.judged}` : first.outcome.replace("_", " ")) + (cell.invalid ? " !" : "");
  const several = cell.rows.length > 1;
  const target = several
    ? address({ attempt: null, page: null, suite: first.suite, sdk: first.sdk, model: first.model, run: severalRuns ? first.run : null, q: first.sample })
    : linkTo(first);
  const said = `${words} ${cell.judged ? "passed" : ""}${cell.invalid ? `, ${cell.invalid} invalid` : ""}: ${sample.sample}, ${entry}`;
  const look = share === null ? "other" : cell.invalid && !cell.passed ? "invalid" : `heat h${Math.min(Math.floor(share * 5), 4)}`;
  return make("td", { class: look }, make("a", { href: target, "aria-label": said, title: said }, words));
}

function drawHeatmap(list) {
  const table = document.querySelector(".heatmap");
  const entries = [...new Set(list.map(entryOf))].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  const samples = orderedSamples(samplesOf(list), document.querySelector("select[name=order]").value);
  const shown = everySample ? samples : samples.slice(0, FIRST_SAMPLES);
  table.tHead.replaceChildren(make("tr", {}, make("td"), entries.map((entry) => make("th", { scope: "col", title: entry }, isolated(entry)))));
  const drawn = shown.map((sample) => make("tr", {},
    make("th", { scope: "row", title: sample.name }, isolated(sample.sample)),
    entries.map((entry) => heatCell(sample, entry))));
  keepingFocus(table.tBodies[0], () => table.tBodies[0].replaceChildren(...drawn));
  const button = document.querySelector("#heatmap [data-all]");
  button.hidden = samples.length <= FIRST_SAMPLES;
  button.textContent = everySample ? `Show the first ${FIRST_SAMPLES}` : `Show all ${samples.length} samples`;
}

function listenToHeatmap() {
  document.querySelector("#heatmap [data-all]").addEventListener("click", () => {
    everySample = !everySample;
    drawHeatmap(chosen);
  });
  document.querySelector("select[name=order]").addEventListener("change", () => drawHeatmap(chosen));
}
