// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {h, plural} from "./dom.js";
import {groupFaults, scheduleTitle} from "./model.js";

const kFaultsMax = 50;
const kSchedulesMax = 6;

function scheduleList(cells) {
  const names = cells.slice(0, kSchedulesMax).map(scheduleTitle).join(", ");
  return cells.length > kSchedulesMax ? `${names} and ${cells.length - kSchedulesMax} more` : names;
}

function item(group, open) {
  const cell = group[0];
  const finding = cell.findings[0];
  return h(
      "li", {},
      h("button", {type: "button", class: "fault", onclick: (event) => open(group, event.currentTarget)},
        h("span", {class: `badge v-${cell.verdict}`}, cell.verdict), " ", h("b", {}, cell.scenario),
        ` · ${cell.backend} ${cell.lowering} · ${scheduleList(group)}`,
        h("span", {class: "reason"}, finding && finding.rule ? `[${finding.oracle} ${finding.rule}] ` : "",
          cell.reason.split("\n")[0])));
}

/** One line a fault: what did not come out as expected, each with a button that opens it. */
export function faultList(cells, verdicts, open) {
  const groups = groupFaults(cells.filter((cell) => verdicts[cell.verdict].unexpected));
  if (groups.length === 0) return h("p", {id: "faults", class: "empty"}, "Nothing here is other than expected.");
  const list = h("ol", {class: "faults"}, groups.slice(0, kFaultsMax).map((group) => item(group, open)));
  const rest = groups.slice(kFaultsMax);
  const more = rest.length === 0 ? null :
                                   h("button", {
                                     type: "button",
                                     onclick: () => {
                                       list.append(...rest.map((group) => item(group, open)));
                                       more.remove();
                                     }
                                   },
                                     `Show ${plural(rest.length, "more fault")}`);
  return h("div", {id: "faults"}, list, more);
}
