// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {command, h} from "./dom.js";
import {drawGraph} from "./graph.js";
import {addressOf, numberText, scheduleTitle} from "./model.js";
import {drawTimeline} from "./timeline.js";

function findingItem(finding) {
  return h(
      "li", {class: "finding"},
      h("p", {}, h("b", {}, finding.oracle), finding.rule ? h("span", {class: "rule"}, finding.rule) : null),
      h("pre", {}, finding.message),
      finding.ops.length === 0 ? null :
                                 h("p", {class: "ops"}, "operations: ", finding.ops.map((op) => h("code", {}, op))));
}

function metricTable(metrics) {
  const names = Object.keys(metrics);
  if (names.length === 0) return null;
  return h(
      "details", {}, h("summary", {}, "Measured"),
      h("table", {class: "plain"},
        h("tbody", {},
          names.map(
              (name) =>
                  h("tr", {}, h("th", {scope: "row"}, name.replaceAll("_", " ")),
                    h("td", {class: "number"}, numberText(metrics[name].value)), h("td", {}, metrics[name].unit))))));
}

/**
 * Everything that is known of one cell. Gives the element, and functions to call when the theme or the size changes.
 */
function cellView(cell, verdicts) {
  const timeline = cell.timeline ? drawTimeline(cell.timeline) : null;
  const element =
      h("div", {class: "cell"},
        h("p", {}, h("span", {class: `badge v-${cell.verdict}`}, cell.verdict),
          ` ${verdicts[cell.verdict].meaning}. ` +
              `The run took ${numberText(cell.duration_ms)} ms.`),
        cell.reason && cell.findings.length === 0 ? h("pre", {}, cell.reason) : null,
        cell.findings.length === 0 ? null : h("h3", {}, "Findings"),
        h("ul", {class: "findings"}, cell.findings.map(findingItem)),
        cell.repro ? [h("h3", {}, "To see it alone"), command(cell.repro)] : null,
        cell.graph ? drawGraph(cell.graph) : null, timeline ? timeline.element : null, metricTable(cell.metrics));
  return {element, shown: () => timeline?.shown(), redraw: () => timeline?.redraw()};
}

/**
 * The panel at the side that shows the cells of one place of the matrix. `open(cells, opener)` shows them and takes the
 * focus; closing gives it back to `opener`.
 */
export function detailPanel(verdicts) {
  let opener = null;
  let view = null;
  const panel = h("aside", {id: "detail", hidden: true, "aria-label": "Details of the chosen cells"});
  function close() {
    panel.hidden = true;
    view = null;
    history.replaceState(null, "", location.pathname + location.search);
    opener?.focus();
  }
  panel.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
  });
  function open(cells, from) {
    opener = from;
    const first = cells.find((cell) => verdicts[cell.verdict].unexpected) ?? cells[0];
    const body = h("div", {});
    const tabs = cells.map(
        (cell) =>
            h("button",
              {type: "button", class: `toggle v-${cell.verdict}`, "aria-pressed": "false", onclick: () => show(cell)},
              `${scheduleTitle(cell)}: ${cell.verdict}`));
    function show(cell) {
      tabs.forEach((tab, index) => tab.setAttribute("aria-pressed", String(cells[index] === cell)));
      view = cellView(cell, verdicts);
      body.replaceChildren(view.element);
      view.shown();
    }
    const title = h("h2", {id: "detail-title", tabindex: "-1"}, first.scenario);
    panel.replaceChildren(
        h("button", {type: "button", id: "detail-close", onclick: close}, "Close"), title,
        h("p", {}, `${first.backend}, lowering ${first.lowering}`),
        h("div", {class: "tabs", role: "group", "aria-label": "Schedules"}, tabs), body);
    history.replaceState(null, "", addressOf(first));
    panel.hidden = false;
    panel.scrollTop = 0;
    show(first);
    title.focus();
  }
  return {element: panel, open, redraw: () => view?.redraw()};
}
