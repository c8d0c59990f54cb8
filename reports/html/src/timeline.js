// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {baseOption, chart, colour} from "./chart.js";
import {h} from "./dom.js";
import {numberText} from "./model.js";

const kTrackHeight = 34;
const kClocks = {
  virtual: "the clock of the simulated device",
  device: "the clock of the device",
  host: "the clock of the host",
};

/** One bar: from its start to its end, in the middle of its track. */
function bar(parameters, api, spans, colours) {
  const span = spans[parameters.dataIndex];
  const from = api.coord([span.start_ns, span.track]);
  const to = api.coord([span.end_ns, span.track]);
  const height = Math.min(20, api.size([0, 1])[1] * 0.6);
  // Work that takes no time on its clock must still be seen.
  const width = Math.max(2, to[0] - from[0]);
  const label = span.op || span.name;
  return {
    type: "rect",
    shape: {x: from[0], y: from[1] - height / 2, width, height},
    style: {fill: colours.tracks[span.track % colours.tracks.length], stroke: colours.panel},
    textContent:
        {style: {text: width > 24 ? label : "", fill: colours.onTrack, width: width - 4, overflow: "truncate"}},
    textConfig: {position: "inside"},
  };
}

/** An arrow from the end of one span to the start of another. */
function arrow(api, flow, spans, colours) {
  const [before, after] = [spans[flow.from], spans[flow.to]];
  const from = api.coord([before.end_ns, before.track]);
  const to = api.coord([after.start_ns, after.track]);
  const stroke = colours.edges[flow.state];
  const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
  const wing = (turn) => [to[0] - 7 * Math.cos(angle + turn), to[1] - 7 * Math.sin(angle + turn)];
  const style = {stroke, lineWidth: flow.state === "missing" ? 2.5 : 1, fill: "none"};
  return {
    type: "group",
    children: [
      {
        type: "polyline",
        shape: {points: [from, to]},
        style: {...style, lineDash: flow.state === "enforced" ? [] : [5, 3]}
      },
      {type: "polygon", shape: {points: [to, wing(0.4), wing(-0.4)]}, style: {fill: stroke}},
    ]
  };
}

function tip(span, tracks) {
  const box =
      h("div", {}, h("b", {}, span.op || span.name), h("br"), span.op ? span.name : "", h("br"), tracks[span.track],
        h("br"), `${numberText(span.start_ns)} to ${numberText(span.end_ns)} ns`);
  return box;
}

/** Looked up once a drawing: each look costs the browser a computation of styles. */
function coloursOfNow() {
  const states = ["enforced", "missing", "extra"];
  return {
    tracks: [0, 1, 2, 3, 4, 5].map((track) => colour(`track-${track}`)),
    edges: Object.fromEntries(states.map((state) => [state, colour(`edge-${state}`)])),
    panel: colour("panel"),
    onTrack: colour("on-track"),
  };
}

function describe({tracks, spans, flows}) {
  const colours = coloursOfNow();
  const base = baseOption(`Timeline of ${tracks.length} tracks with ${spans.length} pieces of work`);
  return {
    ...base,
    grid: {left: 8, right: 16, top: 8, bottom: 56, containLabel: true},
    xAxis: {...base.axis, type: "value", name: "ns", min: "dataMin", max: "dataMax"},
    yAxis: {...base.axis, type: "category", data: tracks, inverse: true},
    dataZoom: [
      {type: "slider", height: 16, bottom: 8, textStyle: base.textStyle}, {type: "inside", zoomOnMouseWheel: "ctrl"}
    ],
    tooltip: {...base.tooltip, formatter: ({dataIndex}) => tip(spans[dataIndex], tracks)},
    series: [
      {
        type: "custom",
        renderItem: (parameters, api) => bar(parameters, api, spans, colours),
        encode: {x: [0, 1], y: 2},
        clip: true,
        data: spans.map((span) => [span.start_ns, span.end_ns, span.track])
      },
      {
        type: "custom",
        renderItem: (parameters, api) => arrow(api, flows[parameters.dataIndex], spans, colours),
        silent: true,
        encode: {x: [0, 1]},
        clip: true,
        tooltip: {show: false},
        data: flows.map(({from, to}) => [spans[from].end_ns, spans[to].start_ns])
      },
    ],
  };
}

/** When the work of a cell ran: one track a stream. */
export function drawTimeline(timeline) {
  const drawn = chart("timeline", timeline.tracks.length * kTrackHeight + 90, () => describe(timeline));
  const element =
      h("section", {class: "picture"}, h("h3", {}, "When the work ran"),
        h("p", {}, `By ${kClocks[timeline.clock] ?? timeline.clock}. One row a stream; an arrow says: not before.`,
          timeline.flows.some((flow) => flow.state === "missing") ? " A red arrow is an order that nothing enforced." :
                                                                    ""),
        drawn.element);
  return {...drawn, element};
}
