// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The results as the page needs them: nothing here touches the document.

/** Cells of one scenario, backend, driver and lowering: one place of the matrix. */
export function placeKey(cell) {
  return JSON.stringify([cell.scenario, cell.backend, cell.lowering]);
}

export function columnKey(cell) {
  return JSON.stringify([cell.backend, cell.lowering]);
}

export function scheduleTitle(cell) {
  const name = cell.schedule === "-" ? "device" : cell.schedule;
  return name + (cell.seed === null ? "" : ` seed ${cell.seed}`) + (cell.driver === "sim" ? "" : `, ${cell.driver}`);
}

/** The part of the page's address that opens the place of `cell`. */
export function addressOf(cell) {
  return "#" + [cell.backend, cell.lowering, cell.scenario].map(encodeURIComponent).join("/");
}

/** The names of `key` in the cells, each once, in the order of the cells. */
export function namesOf(cells, key) {
  return [...new Set(cells.map((cell) => cell[key]))];
}

/** Those cells that `filter` lets through: sets of verdicts, backends, lowerings, and a text in lower case. */
export function filterCells(cells, filter) {
  return cells.filter(
      (cell) => filter.verdict.has(cell.verdict) && filter.backend.has(cell.backend) &&
          filter.lowering.has(cell.lowering) && hasText(cell, filter.text));
}

function hasText(cell, text) {
  if (text === "") return true;
  const findings = cell.findings.flatMap((finding) => [finding.oracle, finding.rule, finding.message, ...finding.ops]);
  return [cell.scenario, cell.reason, ...findings].some((words) => words.toLowerCase().includes(text));
}

/** Columns (backend and lowering) in the order of all cells, and for each scenario its places by column. */
export function makeMatrix(cells, gravity) {
  const columns = new Map();
  const rows = new Map();
  for (const cell of cells) {
    columns.set(columnKey(cell), {backend: cell.backend, lowering: cell.lowering});
    if (!rows.has(cell.scenario)) rows.set(cell.scenario, new Map());
    const places = rows.get(cell.scenario);
    if (!places.has(columnKey(cell))) places.set(columnKey(cell), {cells: [], passed: 0, worst: cell.verdict});
    const place = places.get(columnKey(cell));
    place.cells.push(cell);
    place.passed += cell.verdict === "pass" ? 1 : 0;
    if (gravity.indexOf(cell.verdict) > gravity.indexOf(place.worst)) place.worst = cell.verdict;
  }
  return {columns, rows};
}

/** Cells that differ in their schedule only and came to the same for the same reason: one fault for a reader. */
export function groupFaults(cells) {
  const groups = new Map();
  for (const cell of cells) {
    const reason = cell.reason.replace(/0x[0-9a-f]+/gi, "0x");
    const key = JSON.stringify([placeKey(cell), cell.driver, cell.verdict, reason]);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(cell);
  }
  return [...groups.values()];
}

/** For each metric and column: how many cells have it, and the least, middle and greatest value. */
export function summariseMetrics(cells) {
  const metrics = new Map();
  for (const cell of cells)
    for (const [name, metric] of Object.entries(cell.metrics)) {
      if (!metrics.has(name)) metrics.set(name, {unit: metric.unit, columns: new Map()});
      const values = metrics.get(name).columns;
      if (!values.has(columnKey(cell))) values.set(columnKey(cell), []);
      values.get(columnKey(cell)).push(metric.value);
    }
  for (const metric of metrics.values())
    for (const [column, values] of metric.columns) metric.columns.set(column, describe(values));
  return metrics;
}

function describe(values) {
  values.sort((left, right) => left - right);
  const half = values.length >> 1;
  const median = values.length % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
  return {count: values.length, min: values[0], median, max: values[values.length - 1]};
}

export function numberText(value) {
  if (Number.isInteger(value)) return value.toLocaleString("en");
  return value.toLocaleString("en", {maximumSignificantDigits: 4});
}
