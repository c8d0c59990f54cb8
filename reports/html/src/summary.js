// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {h, plural} from "./dom.js";
import {namesOf} from "./model.js";

/** The headline: what came out, in one sentence; below it what a cell is. */
export function headline(data) {
  const cells = data.results.cells;
  const failing = cells.filter((cell) => data.verdicts[cell.verdict].unexpected).length;
  const good = failing === 0;
  const sentence = cells.length === 0 ? "Nothing was run." :
      good ? `All ${plural(cells.length, "cell")} came out as expected.` :
             `${failing.toLocaleString("en")} of ${plural(cells.length, "cell")} did not come out as expected.`;
  const scenarios = namesOf(cells, "scenario").length;
  return h(
      "section", {class: `headline ${good ? "good" : "bad"}`}, h("p", {id: "sentence", class: "sentence"}, sentence),
      h("p", {},
        `${plural(scenarios, "GPU program")} (scenarios), each lowered in ` +
            `${plural(namesOf(cells, "lowering").length, "way")}, on ` +
            `${plural(namesOf(cells, "backend").length, "backend")}, under several schedules of the device. ` +
            "Each combination is a cell, and each cell is judged by itself."));
}

/** One bar of all cells, cut by verdict, with the words to it. */
export function totals(data) {
  const counts = new Map();
  for (const cell of data.results.cells) counts.set(cell.verdict, (counts.get(cell.verdict) ?? 0) + 1);
  const present = Object.keys(data.verdicts).filter((name) => counts.has(name));
  const bar =
      h("div", {class: "bar", role: "img", "aria-label": present.map((n) => `${n} ${counts.get(n)}`).join(", ")},
        present.map((name) => h("span", {class: `v-${name}`, style: `flex-grow:${counts.get(name)}`})));
  const rows = present.map(
      (name) => h(
          "tr", {}, h("td", {}, h("span", {class: `badge v-${name}`}, name)),
          h("td", {class: "number"}, counts.get(name).toLocaleString("en")), h("td", {}, data.verdicts[name].meaning)));
  return h(
      "section", {"aria-label": "Verdicts"}, bar,
      h("table", {class: "plain", id: "totals"},
        h("thead", {}, h("tr", {}, ["verdict", "cells", "says"].map((text) => h("th", {scope: "col"}, text)))),
        h("tbody", {}, rows)));
}

function row(name, value) {
  return value ? h("tr", {}, h("th", {scope: "row"}, name), h("td", {}, value)) : null;
}

/** What ran, where, and of which commit. */
export function environment(run) {
  const git = run.git.sha === null ? "" : run.git.sha + (run.git.dirty ? ", with changes that are not committed" : "");
  const drivers = run.drivers.map(
      (driver) =>
          row(`${driver.backend} driver`,
              `${driver.simulated ? "simulated" : "real"}, version ${driver.version}, ${driver.path}`));
  const devices = run.devices.map((device) => row(`${device.backend} device ${device.index}`, device.name));
  return h(
      "details", {id: "environment", open: true}, h("summary", {}, "What ran"),
      h("table", {class: "plain"},
        h("tbody", {}, row("command", h("code", {}, run.command)), row("commit", git), row("started", run.started),
          row("took", `${(run.duration_ms / 1000).toFixed(1)} s`),
          row("seed", run.seed === null ? "" : String(run.seed)),
          row("machine", [run.host.name, run.host.system, run.host.architecture].filter(Boolean).join(", ")),
          row("processor", `${run.host.cpu} (${plural(run.host.cores, "core")})`), drivers, devices)));
}

const kWords = [
  ["scenario", "a GPU program whose operations say what they must come after"],
  [
    "lowering",
    "how that order becomes calls of the driver: streams and events, graphs, captured graphs, " +
        "or one operation at a time (serial)"
  ],
  ["backend", "CUDA or HIP: which kernels and which runtime library"],
  [
    "schedule",
    "in which of the allowed orders the simulated device ran the work: each as soon as it may (eager), " +
        "none before it must (lazy), or drawn by chance (random, with a seed that repeats it)"
  ],
  [
    "finding",
    "what a judge objects to: the rule that is broken, the operations concerned, and a command that shows it alone"
  ],
];

export function legend() {
  return h(
      "details", {id: "words"}, h("summary", {}, "Words used here"),
      h("dl", {}, kWords.flatMap(([word, meaning]) => [h("dt", {}, word), h("dd", {}, meaning)])));
}
