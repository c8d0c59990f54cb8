// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {baseOption, chart, colour} from "./chart.js";
import {h} from "./dom.js";
import {numberText, summariseMetrics} from "./model.js";

function valueText({median, min, max}) {
  return min === max ? numberText(median) : `${numberText(median)} (${numberText(min)}–${numberText(max)})`;
}

function describe(name, metric, columns) {
  const base = baseOption(`Bars of ${name} by backend and lowering`);
  const found = [...columns].filter(([key]) => metric.columns.has(key));
  const values = found.map(([key]) => metric.columns.get(key));
  return {
    ...base,
    grid: {left: 8, right: 60, top: 8, bottom: 24, containLabel: true},
    xAxis: {...base.axis, type: "value", name: metric.unit},
    yAxis: {
      ...base.axis,
      type: "category",
      inverse: true,
      data: found.map(([, {backend, lowering}]) => `${backend} ${lowering}`)
    },
    tooltip:
        {...base.tooltip, formatter: ({dataIndex}) => h("span", {}, `${valueText(values[dataIndex])} ${metric.unit}`)},
    series: [{
      type: "bar",
      data: values.map(({median}) => median),
      itemStyle: {color: colour("accent")},
      barMaxWidth: 22,
      label: {show: true, position: "right", color: colour("text"), formatter: ({value}) => numberText(value)}
    }],
  };
}

function metricRow(name, metric, columns) {
  return h(
      "tr", {}, h("th", {scope: "row"}, name.replaceAll("_", " "), h("span", {class: "unit"}, ` ${metric.unit}`)),
      [...columns.keys()].map(
          (key) => h("td", {class: "number"}, metric.columns.has(key) ? valueText(metric.columns.get(key)) : "")));
}

/** What was measured, by backend and lowering: a bar chart of the metric that is chosen, and a table of all. */
export function metricsView(cells, columns) {
  const metrics = summariseMetrics(cells);
  if (metrics.size === 0) return {element: h("p", {class: "empty"}, "Nothing was measured."), shown() {}, redraw() {}};
  const names = [...metrics.keys()].sort();
  let chosen = names.includes("driver_calls_per_device_op") ? "driver_calls_per_device_op" : names[0];
  const drawn = chart("metric-chart", columns.size * 28 + 60, () => describe(chosen, metrics.get(chosen), columns));
  const select =
      h("select", {
        id: "metric-choice",
        onchange: () => {
          chosen = select.value;
          drawn.redraw();
        }
      },
        names.map((name) => h("option", {value: name, selected: name === chosen}, name.replaceAll("_", " "))));
  const heads = [...columns.values()].map(({backend, lowering}) => h("th", {scope: "col"}, `${backend} ${lowering}`));
  const element =
      h("div", {},
        h("p", {},
          "Of the cells that the filters leave: the middle value, then the least and the greatest where they differ."),
        h("label", {}, "Show ", select), drawn.element,
        h("details", {}, h("summary", {}, "All as a table"),
          h("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": "Table of metrics"},
            h("table", {id: "metrics", class: "matrix"},
              h("thead", {}, h("tr", {}, h("th", {scope: "col"}, "metric"), heads)),
              h("tbody", {}, names.map((name) => metricRow(name, metrics.get(name), columns)))))));
  return {...drawn, element};
}
