"use strict";
/* One attempt in full, in a dialog that the address names. */

let cameFrom = null;

function showAttempt() {
  const dialog = document.querySelector("dialog.attempt");
  const id = state().get("attempt");
  const row = id && rows.find((each) => each.id === id);
  if (!id || (!row && !rows.length)) {
    if (dialog.open) dialog.close();
    return;
  }
  if (dialog.dataset.shown === id && dialog.open) return;
  dialog.dataset.shown = id;
  const body = dialog.querySelector(".attempt-body");
  if (!row) body.replaceChildren(head(null, id), make("p", { class: "note" }, "There is no such attempt here."));
  else fill(body, row);
  if (!dialog.open) {
    cameFrom = document.activeElement;
    dialog.showModal();
  }
  dialog.scrollTop = 0;
}

async function fill(body, row) {
  body.replaceChildren(head(row, row.id), summary(row), make("p", { class: "soft" }, "Loading …"));
  body.querySelector("[data-close]").focus();
  try {
    const details = await loadDetails(row);
    if (document.querySelector("dialog.attempt").dataset.shown !== row.id) return;
    body.lastChild.replaceWith(...sections(row, details));
  } catch (error) {
    body.lastChild.replaceWith(make("p", { class: "note" }, `The details can't be read: ${error.message}`));
  }
}

function head(row, id) {
  const title = make("h2", { id: "attempt-title" }, row ? isolated(row.sample) : id);
  const place = chosen.findIndex((each) => each.id === id);
  const step = (by, words, sign) => {
    const other = place < 0 ? null : chosen[place + by];
    return make("button", { type: "button", "data-step": other ? other.id : "", disabled: !other, "aria-label": words, title: words }, sign);
  };
  return make("div", { class: "attempt-head" }, title, make("div", { class: "buttons" },
    step(-1, "Previous attempt", "↑"), step(1, "Next attempt", "↓"),
    make("button", { type: "button", "data-close": true, "aria-label": "Close" }, "✕")));
}

function summary(row) {
  const parts = [
    badge(row.outcome), make("span", {}, "by ", isolated(row.model)), row.sdk && isolated(row.sdk),
    `trial ${row.trial}`, row.language, row.difficulty, row.assurance && `assurance ${row.assurance}`,
    row.tests_total ? `${row.tests_passed} of ${row.tests_total} tests passed` : "",
  ];
  return make("div", { class: "meta" }, parts.filter(Boolean).map((part) => (typeof part === "string" ? make("span", {}, isolated(part)) : part)));
}

function titled(title, ...content) {
  const children = content.flat(Infinity).filter(Boolean);
  return children.length ? [make("h3", {}, title), ...children] : [];
}

function pre(text) {
  return make("pre", { tabindex: "0" }, isolated(text));
}

function sections(row, details) {
  const reason = details.reason ? [make("div", { class: "reason-box" }, isolated(details.reason))] : [];
  return [
    ...reason,
    ...(details.shell ? shellPart(details.shell) : []),
    ...titled("Integrity findings", details.findings.length ? make("ul", { class: "findings" }, details.findings.map((each) => make("li", {}, make("b", {}, isolated(each.name.replaceAll("_", " "))), " ", isolated(each.message)))) : null),
    ...titled("Read from code", details.metrics.map(metricPart)),
    ...titled("Notes", details.notes.length ? make("ul", {}, details.notes.map((note) => make("li", {}, isolated(note)))) : null),
    ...titled("Tests", details.tests.map((test, place) => testPart(test, place === 0)), leftOut(details.tests_left_out, "tests")),
    ...titled(details.has_starter ? "Files, against the starter" : "Files", details.files.map(filePart), leftOut(details.files_left_out, "files"), sameFiles(details)),
    ...titled("Task", details.description_ref || details.description ? lazy("What was asked", async () => pre(await textOf({ ref: details.description_ref, text: details.description }))) : null),
    ...titled("Output", details.texts.map((text) => lazy(text.title, async () => pre(await textOf(text))))),
    ...titled("Environment and limits", make("dl", { class: "facts" }, details.facts.map(([name, value]) => [make("dt", {}, name), make("dd", {}, isolated(value))]))),
  ];
}

function metricPart(metric) {
  const summary = [make("b", {}, isolated(metric.name)), " ", isolated(metric.score), metric.parts ? make("span", { class: "soft" }, " ", isolated(metric.parts)) : ""];
  if (!metric.findings.length) return make("p", {}, summary);
  return make("details", {}, make("summary", {}, summary), make("ul", { class: "findings" }, metric.findings.map((each) => make("li", {}, isolated(each)))));
}

function leftOut(count, what) {
  return count ? make("p", { class: "soft" }, `… and ${count.toLocaleString("en")} more ${what}, left out here.`) : null;
}

function sameFiles(details) {
  if (!details.same_files.length) return null;
  return make("p", { class: "soft" }, "As in the starter: ", isolated(details.same_files.join(", ")),
    details.same_left_out ? ` and ${details.same_left_out.toLocaleString("en")} more` : "");
}

/* Filled when it is opened for the first time. */
function lazy(title, content, open = false) {
  const element = make("details", {}, make("summary", {}, typeof title === "string" ? isolated(title) : title));
  element.addEventListener("toggle", async () => {
    if (!element.open || element.dataset.filled) return;
    element.dataset.filled = "yes";
    try { element.append(await content()); } catch (error) { element.append(make("p", { class: "note" }, error.message)); }
  });
  if (open) element.open = true;
  return element;
}

function testPart(test, first) {
  const title = [badge(test.status), isolated(test.id)];
  if (!test.message && !test.trace && !test.output) return make("div", { class: "plain-test" }, title);
  const element = make("details", { open: first }, make("summary", {}, title));
  element.append(...[
    test.place && make("p", { class: "soft mono" }, isolated(test.place)),
    test.message && pre(test.message),
    test.trace && test.trace !== test.message && pre(test.trace),
    test.output && make("p", { class: "soft" }, "It printed:"), test.output && pre(test.output),
  ].filter(Boolean));
  return element;
}

function filePart(file) {
  const counts = [file.change === "whole" ? "" : file.change, file.note].filter(Boolean).join(", ");
  const title = make("span", { class: "file" }, isolated(file.name), " ", make("small", {}, counts), " ",
    file.added ? make("small", { class: "added-count" }, `+${file.added} `) : "",
    file.removed ? make("small", { class: "removed-count" }, `−${file.removed}`) : "");
  if (file.note) return make("div", { class: "plain-test" }, title);
  return lazy(title, async () => diffTable(await linesOf(file)), file.change === "changed" && file.added + file.removed < 200);
}

function diffTable(lines) {
  const looks = { "+": "plus", "-": "minus", "…": "gap" };
  const body = make("tbody", {}, lines.map(([mark, old, next, tokens]) => {
    if (mark === "…") return make("tr", { class: "gap" }, make("td", { colspan: "4" }, tokens[1]));
    const code = make("td", { dir: "ltr" });
    for (let i = 0; i < tokens.length; i += 2) {
      code.append(tokens[i] ? make("span", { class: `tk-${tokens[i]}` }, tokens[i + 1]) : tokens[i + 1]);
    }
    return make("tr", { class: looks[mark] || null }, make("td", { class: "ln" }, old === null ? "" : String(old)),
      make("td", { class: "ln" }, next === null ? "" : String(next)), make("td", {}, mark), code);
  }));
  return make("div", { class: "diff", tabindex: "0", role: "region", "aria-label": "Difference" }, make("table", {}, body));
}

function shellPart(shell) {
  const yes = (value) => (value ? "yes" : "no");
  const said = (wanted, seen) => `should be: ${yes(wanted)}; the answer: ${seen === null ? "not judged" : yes(seen)}`;
  const facts = [
    ["Asked", shell.prompt], ["Expected", shell.expected], ["Answered", shell.actual === null ? "(no answer)" : shell.actual || "(no command)"],
    ["Equal to", shell.matched], ["Comparison", shell.verdict], ["Safe", said(shell.expected_safe, shell.safe)], ["Safety findings", shell.safety.join("\n")],
    ["POSIX", said(shell.expected_posix, shell.posix_compliant)], ["POSIX findings", shell.posix.join("\n")],
  ].filter(([, value]) => value);
  const code = new Set(["Expected", "Answered", "Equal to"]);
  return titled("Command", make("dl", { class: "facts" }, facts.map(([name, value]) => [make("dt", {}, name),
    make("dd", {}, code.has(name) ? make("code", {}, isolated(value)) : isolated(value))])));
}

function closeAttempt() {
  if (state().has("attempt")) location.hash = address({ attempt: null });
  const dialog = document.querySelector("dialog.attempt");
  if (dialog.open) dialog.close();
}

function listenToAttempt() {
  const dialog = document.querySelector("dialog.attempt");
  dialog.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (event.target === dialog || (button && button.hasAttribute("data-close"))) closeAttempt();
    else if (button && button.dataset.step) location.replace(address({ attempt: button.dataset.step }));
  });
  dialog.addEventListener("cancel", (event) => { event.preventDefault(); closeAttempt(); });
  dialog.addEventListener("close", () => {
    const row = [...document.querySelectorAll(".attempts tbody tr")].find((each) => each.dataset.id === dialog.dataset.shown);
    delete dialog.dataset.shown;
    // Where the reader was; rows may have been drawn anew, or another attempt been stepped to.
    const before = cameFrom && document.contains(cameFrom) && cameFrom !== document.body ? cameFrom : null;
    (before || (row && row.querySelector("a")) || document.querySelector("input[name=q]")).focus({ preventScroll: true });
  });
}
