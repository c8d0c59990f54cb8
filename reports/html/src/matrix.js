// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {h, plural} from "./dom.js";
import {makeMatrix} from "./model.js";

// More rows than anybody reads; a button shows the rest.
const kRowsMax = 300;
// What is written in a place besides its colour.
const kSigns = {
  pass: "✓",
  fail: "✗ fail",
  error: "! error",
  crash: "✗ crash",
  timeout: "✗ timeout",
  skip: "– skip",
  xfail: "~ xfail",
  xpass: "! xpass"
};

/** Runs of columns of the same backend: what the upper row of the head spans. */
function backendSpans(columns) {
  const spans = [];
  for (const {backend} of columns.values()) {
    if (spans.length !== 0 && spans[spans.length - 1].backend === backend)
      ++spans[spans.length - 1].count;
    else
      spans.push({backend, count: 1});
  }
  return spans;
}

function place(scenario, {backend, lowering}, found, open) {
  if (!found) return h("td", {class: "absent"});
  const label = `${found.worst}: ${scenario}, ${backend} ${lowering}, ` +
      `${found.passed} of ${plural(found.cells.length, "schedule")} pass`;
  return h(
      "td", {},
      h("button", {
        type: "button",
        class: `place v-${found.worst}`,
        "aria-label": label,
        title: label,
        "data-scenario": scenario,
        "data-backend": backend,
        "data-lowering": lowering,
        onclick: (event) => open(found.cells, event.currentTarget)
      },
        `${kSigns[found.worst]} ${found.passed}/${found.cells.length}`));
}

/** Scenarios against backends and lowerings. `open(cells, button)` is called for the place that is pressed. */
export function matrixTable(cells, gravity, open) {
  const {columns, rows} = makeMatrix(cells, gravity);
  if (rows.size === 0) return h("p", {id: "matrix", class: "empty"}, "No cell is left by the filters.");
  const body = h("tbody", {});
  const names = [...rows.keys()];
  const addRows = (list) => body.append(...list.map(
      (name) =>
          h("tr", {}, h("th", {scope: "row"}, name),
            [...columns].map(([key, column]) => place(name, column, rows.get(name).get(key), open)))));
  addRows(names.slice(0, kRowsMax));
  const rest = names.length - kRowsMax;
  const more = rest <= 0 ? null :
                           h("button", {
                             type: "button",
                             onclick: () => {
                               addRows(names.slice(kRowsMax));
                               more.remove();
                             }
                           },
                             `Show ${plural(rest, "more scenario")}`);
  return h(
      "div", {class: "scroll", tabindex: "0", role: "region", "aria-label": "Matrix of verdicts"},
      h("table", {id: "matrix", class: "matrix"},
        h("thead", {},
          h("tr", {}, h("th", {scope: "col", rowspan: 2}, "scenario"),
            backendSpans(columns).map(({backend, count}) => h("th", {scope: "colgroup", colspan: count}, backend))),
          h("tr", {}, [...columns.values()].map(({lowering}) => h("th", {scope: "col"}, lowering)))),
        body),
      more);
}
