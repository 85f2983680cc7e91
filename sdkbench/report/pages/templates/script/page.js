"use strict";
/* What every page has: colours, sorting of the tables that came with it, tooltips, keys; the start. */

const THEMES = { auto: "as the system has them", light: "light", dark: "dark" };

function remembered(name) {
  try { return localStorage.getItem(name); } catch { return null; }
}

function remember(name, value) {
  try { localStorage.setItem(name, value); } catch { /* a file may not be allowed to keep anything */ }
}

function setTheme(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  const button = document.querySelector("[data-theme-switch]");
  button.setAttribute("aria-label", `Colours: ${THEMES[theme]}`);
  button.dataset.now = theme;
}

function listenToTheme() {
  const kept = remembered("sdkbench-theme");
  setTheme(kept in THEMES ? kept : "auto");
  document.querySelector("[data-theme-switch]").addEventListener("click", (event) => {
    const names = Object.keys(THEMES);
    const next = names[(names.indexOf(event.currentTarget.dataset.now) + 1) % names.length];
    setTheme(next);
    remember("sdkbench-theme", next);
  });
}

/* Headers become buttons: without a script the table is there, in the order it came. */
function makeSortable(table) {
  for (const header of table.querySelectorAll("thead th[data-sort]")) {
    const button = make("button", { type: "button" });
    button.append(...header.childNodes);
    header.append(button);
    if (!header.hasAttribute("aria-sort")) header.setAttribute("aria-sort", "none");
  }
  table.tHead.addEventListener("click", (event) => {
    const header = event.target.closest("th[data-sort]");
    if (!header || !event.target.closest("button")) return;
    const numeric = header.dataset.sort === "number";
    const down = header.getAttribute("aria-sort") === (numeric ? "none" : "ascending") || header.getAttribute("aria-sort") === "ascending";
    for (const other of table.querySelectorAll("th[aria-sort]")) other.setAttribute("aria-sort", "none");
    header.setAttribute("aria-sort", down ? "descending" : "ascending");
    const value = (row) => {
      const cell = row.children[header.cellIndex];
      return numeric ? Number(cell.dataset.value ?? "-1") : cell.textContent.trim();
    };
    const sign = down ? -1 : 1;
    const body = table.tBodies[0];
    body.append(...[...body.rows].sort((a, b) => sign * (numeric ? value(a) - value(b) : value(a).localeCompare(value(b), "en", { numeric: true }))));
  });
}

/* Charts say what each mark is: shown on hover and on focus. */
function listenToCharts() {
  const tooltip = document.querySelector(".tooltip");
  const over = (event) => {
    const mark = event.target.closest && event.target.closest("svg.chart [aria-label]:not([aria-roledescription=axis])");
    if (!mark) { tooltip.hidden = true; return; }
    tooltip.textContent = mark.getAttribute("aria-label");
    tooltip.hidden = false;
    const box = mark.getBoundingClientRect();
    const width = tooltip.offsetWidth;
    tooltip.style.left = `${Math.max(8, Math.min(box.left + box.width / 2 - width / 2, innerWidth - width - 8))}px`;
    tooltip.style.top = `${box.top > 60 ? box.top - tooltip.offsetHeight - 8 : box.bottom + 8}px`;
  };
  document.addEventListener("pointerover", over);
  document.addEventListener("focusin", over);
  document.addEventListener("scroll", () => { tooltip.hidden = true; }, { passive: true });
}

function prepareFigures(root) {
  root.querySelectorAll("table.sortable").forEach(makeSortable);
  for (const mark of root.querySelectorAll("svg.chart-wide [aria-label]:not([aria-roledescription=axis])")) mark.setAttribute("tabindex", "0");
}

function listenToKeys() {
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, select, textarea");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const dialog = document.querySelector("dialog.attempt");
    const search = document.querySelector("input[name=q]");
    if (event.key === "/" && search && !dialog.open) {
      event.preventDefault();
      search.scrollIntoView({ block: "center" });
      search.focus();
    } else if (dialog && dialog.open && (event.key === "j" || event.key === "k")) {
      const button = dialog.querySelectorAll("[data-step]")[event.key === "j" ? 1 : 0];
      if (button && !button.disabled) button.click();
    }
  });
}

function filtersOf(parameters) {
  const without = new URLSearchParams(parameters);
  without.delete("attempt");
  return String(without);
}

/* The address has changed: by a link, by the reader's hand, or by Back. */
function follow() {
  if (location.hash.length > 1 && !location.hash.includes("=")) return;
  const parameters = state();
  if (drawn !== filtersOf(parameters)) {
    showTable();
    const filtered = Object.keys(FILTERS).some((name) => parameters.has(name)) || parameters.has("q");
    if (filtered && !parameters.has("attempt")) document.getElementById("attempts").scrollIntoView();
  }
  showAttempt();
}

async function startAttempts() {
  listenToTable();
  listenToHeatmap();
  listenToAttempt();
  rows = await loadRows();
  addEventListener("hashchange", follow);
  if (!location.hash.includes("=")) showTable();
  follow();
  document.documentElement.dataset.ready = "yes";
}

listenToTheme();
prepareFigures(document);
listenToCharts();
listenToKeys();
if (document.getElementById("attempts")) {
  startAttempts().catch((error) => {
    document.querySelector("#attempts .status").textContent = `The attempts can't be read: ${error.message}`;
  });
}
