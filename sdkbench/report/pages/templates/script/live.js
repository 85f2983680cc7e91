"use strict";
/* The viewer while a run goes on: the server says that something changed, the page asks for it. */

const LEAST_PAUSE = 1000; // milliseconds between two refreshes; longer where one takes long
let refreshing = false;
let again = false;

async function replacePart(selector, source) {
  const place = document.querySelector(selector);
  // What somebody is using stays as it is until the next change.
  if (place.contains(document.activeElement)) return;
  const response = await fetch(source, { headers: { Accept: "text/html" } });
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  const marked = new Set([...place.querySelectorAll("input:checked")].map((box) => box.value));
  const parsed = new DOMParser().parseFromString(await response.text(), "text/html");
  place.replaceChildren(...parsed.body.childNodes);
  place.querySelectorAll("input").forEach((box) => { box.checked = marked.has(box.value); });
  prepareFigures(place);
}

async function refresh() {
  if (refreshing) { again = true; return; }
  refreshing = true;
  const began = performance.now();
  try {
    for (const [selector, source] of Object.entries(page.parts || {})) await replacePart(selector, source);
    if (page.rows) {
      const known = new Set(rows.map((row) => row.id));
      rows = await loadRows();
      fresh = new Set(rows.map((row) => row.id).filter((id) => known.size && !known.has(id)));
      showTable();
    }
  } catch (error) {
    sayLive(false, error.message);
  }
  const pause = Math.max(LEAST_PAUSE, 4 * (performance.now() - began));
  setTimeout(() => { refreshing = false; if (again) { again = false; refresh(); } }, pause);
}

function sayLive(on, words) {
  const place = document.querySelector(".live");
  place.hidden = false;
  place.querySelector(".live-dot").classList.toggle("off", !on);
  place.querySelector("[data-live]").textContent = words;
}

function listenToServer() {
  const source = new EventSource(page.events);
  let seen = null;
  source.addEventListener("change", (event) => {
    sayLive(true, "live");
    if (seen !== null && seen !== event.data) refresh();
    else if (seen === null && page.signature !== event.data) refresh();
    seen = event.data;
  });
  source.addEventListener("trouble", (event) => sayLive(false, event.data));
  source.addEventListener("error", () => sayLive(false, "not connected"));
}

function listenToCompare() {
  const button = document.querySelector("[data-compare]");
  const marked = () => [...document.querySelectorAll("input[name=compare]:checked")].map((box) => box.value);
  document.getElementById("runs").addEventListener("change", () => { button.disabled = marked().length < 2; });
  button.addEventListener("click", () => {
    location.href = `/compare?${new URLSearchParams(marked().map((run) => ["run", run]))}`;
  });
}

if (document.querySelector("[data-compare]")) listenToCompare();
if (page.events) listenToServer();
