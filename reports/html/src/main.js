// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {detailPanel} from "./detail.js";
import {h, plural} from "./dom.js";
import {faultList} from "./faults.js";
import {filterBar, openFilter} from "./filters.js";
import {matrixTable} from "./matrix.js";
import {metricsView} from "./metrics.js";
import {addressOf, filterCells, makeMatrix} from "./model.js";
import {environment, headline, legend, totals} from "./summary.js";

/** A button that changes between light and dark; before it is pressed, the page is as the system is. */
function themeButton(onChange) {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const current = () => document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light");
  const name = () => (current() === "dark" ? "Light" : "Dark");
  const button =
      h("button", {
        type: "button",
        id: "theme",
        onclick: () => {
          document.documentElement.dataset.theme = current() === "dark" ? "light" : "dark";
          changed();
        }
      },
        name());
  function changed() {
    button.textContent = name();
    onChange();
  }
  dark.addEventListener("change", changed);
  return button;
}

function licenses() {
  const text = document.getElementById("licenses").textContent;
  return h(
      "footer", {}, h("p", {}, "Made by Lockstep. This page is one file and loads nothing else."),
      h("details", {}, h("summary", {}, "Licenses of the libraries in this page"), h("pre", {}, text)));
}

function start() {
  const data = JSON.parse(document.getElementById("data").textContent);
  const cells = data.results.cells;
  const detail = detailPanel(data.verdicts);
  const slots = {matrix: h("div", {}), faults: h("div", {}), metrics: h("div", {})};
  let metrics = null;
  const {columns} = makeMatrix(cells, data.gravity);
  const filters = filterBar(data, openFilter(data), update);

  function update(filter) {
    const chosen = filterCells(cells, filter);
    filters.count.textContent = `${chosen.length.toLocaleString("en")} of ${plural(cells.length, "cell")} shown`;
    slots.matrix.replaceChildren(matrixTable(chosen, data.gravity, detail.open));
    slots.faults.replaceChildren(faultList(chosen, data.verdicts, detail.open));
    metrics = metricsView(chosen, columns);
    slots.metrics.replaceChildren(metrics.element);
    metrics.shown();
  }
  const theme = themeButton(() => {
    metrics?.redraw();
    detail.redraw();
  });
  document.body.append(
      h("header", {}, h("h1", {}, "Lockstep report"), theme),
      h("main", {}, headline(data), totals(data), environment(data.results.run), legend(), h("h2", {}, "Verdicts"),
        h("p", {},
          "Each place shows the gravest verdict of its cells, and how many of how many schedules passed. " +
              "Press one to see why."),
        filters.element, slots.matrix, h("h2", {}, "What did not come out as expected"), slots.faults,
        h("h2", {}, "Measured"), slots.metrics),
      licenses(), detail.element);
  update(openFilter(data));
  const asked = cells.filter((cell) => addressOf(cell) === location.hash);
  if (asked.length !== 0) detail.open(asked, null);
}

start();
