// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import dagre from "@dagrejs/dagre";

import {h, plural, svg} from "./dom.js";

// A larger graph is cut down to what is near its faults: nobody reads more.
const kNodesMax = 120;
const kDistanceMax = 3;
const kNodeHeight = 40;
const kCharacterWidth = 7.3;

const kStates = {
  enforced: "asked for by the program and enforced",
  missing: "needed and not enforced: the fault",
  extra: "enforced but not asked for: lost concurrency",
};

/** The positions of the nodes to draw: all, or those at most `kDistanceMax` edges from a fault. */
function chooseNodes(graph) {
  if (graph.nodes.length <= kNodesMax) return graph.nodes.map((_, index) => index);
  const neighbours = graph.nodes.map(() => []);
  for (const {from, to} of graph.edges) {
    neighbours[from].push(to);
    neighbours[to].push(from);
  }
  const faulty = graph.edges.filter((edge) => edge.state !== "enforced");
  const distance = new Map(faulty.flatMap(({from, to}) => [[from, 0], [to, 0]]));
  for (const [node, steps] of distance)
    for (const next of neighbours[node])
      if (steps < kDistanceMax && !distance.has(next)) distance.set(next, steps + 1);
  const chosen = [...distance.keys()];
  return (chosen.length === 0 ? graph.nodes.map((_, index) => index) : chosen).slice(0, kNodesMax);
}

function layout(graph, chosen) {
  const drawn = new dagre.graphlib.Graph({multigraph: true});
  drawn.setGraph({rankdir: "TB", nodesep: 24, ranksep: 44, marginx: 12, marginy: 12});
  drawn.setDefaultEdgeLabel(() => ({}));
  for (const index of chosen) {
    const node = graph.nodes[index];
    const width = Math.max(labelOf(node).length, node.kind.length, 4) * kCharacterWidth + 20;
    drawn.setNode(String(index), {width, height: kNodeHeight});
  }
  const isDrawn = new Set(chosen);
  graph.edges.forEach((edge, index) => {
    if (isDrawn.has(edge.from) && isDrawn.has(edge.to))
      drawn.setEdge(String(edge.from), String(edge.to), {edge}, String(index));
  });
  dagre.layout(drawn);
  return drawn;
}

function edgePath(points, state) {
  const path = points.map(({x, y}, index) => `${index === 0 ? "M" : "L"}${x.toFixed(1)},${y.toFixed(1)}`).join("");
  return svg("path", {d: path, class: `edge ${state}`, "marker-end": `url(#arrow-${state})`});
}

/** The name without the kind, which stands below it, and without the folders of a file. */
function labelOf({op, kind}) {
  const name = op.endsWith(` ${kind}`) ? op.slice(0, -kind.length - 1) : op;
  return name.slice(name.lastIndexOf("/") + 1);
}

function nodeBox(node, {x, y, width, height}) {
  const {op, kind, place} = node;
  return svg(
      "g", {class: "node", "data-op": op, transform: `translate(${x - width / 2},${y - height / 2})`},
      svg("title", {}, place ? `${op} (${kind}), ${place}` : `${op} (${kind})`), svg("rect", {width, height, rx: 6}),
      svg("text", {x: width / 2, y: 17, class: "op"}, labelOf(node)),
      svg("text", {x: width / 2, y: 32, class: "kind"}, kind));
}

function arrowHead(state) {
  return svg(
      "marker", {
        id: `arrow-${state}`,
        viewBox: "0 0 8 8",
        refX: 8,
        refY: 4,
        markerWidth: 8,
        markerHeight: 8,
        orient: "auto-start-reverse",
        markerUnits: "userSpaceOnUse",
        class: `head ${state}`
      },
      svg("path", {d: "M0,0L8,4L0,8z"}));
}

/** The edges of one state in words, for those who do not see the picture. */
function sentences(graph, state) {
  const place = (node) => (node.place && !node.op.includes(node.place) ? ` (${node.place})` : "");
  return graph.edges.filter((edge) => edge.state === state).map(({from, to}) => {
    const [before, after] = [graph.nodes[from], graph.nodes[to]];
    return h(
        "li", {}, h("b", {class: state}, state), ": ", h("code", {}, before.op), place(before), " must come before ",
        h("code", {}, after.op), place(after));
  });
}

/** The order that the program asks for, drawn from top to bottom, with what is missing in red. */
export function drawGraph(graph) {
  const chosen = chooseNodes(graph);
  const drawn = layout(graph, chosen);
  const {width, height} = drawn.graph();
  const missing = graph.edges.filter((edge) => edge.state === "missing").length;
  const note = chosen.length === graph.nodes.length ?
      "" :
      ` ${chosen.length} of ${plural(graph.nodes.length, "operation")} are drawn: those near the faults.`;
  const present = Object.keys(kStates).filter((state) => graph.edges.some((edge) => edge.state === state));
  return h(
      "section", {class: "picture"}, h("h3", {}, "The order that the program asks for"),
      h("p", {}, "Each arrow says: not before." + note),
      h("ul", {class: "key"},
        present.map((state) => h("li", {}, h("span", {class: `line ${state}`}), ` ${kStates[state]}`))),
      h("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": "Graph of the order"},
        svg("svg", {
          class: "graph",
          id: "graph",
          role: "img",
          width,
          height,
          viewBox: `0 0 ${width} ${height}`,
          "aria-label": `${plural(graph.nodes.length, "operation")}, ${plural(missing, "missing edge")}`
        },
            svg("defs", {}, Object.keys(kStates).map(arrowHead)),
            drawn.edges().map((name) => edgePath(drawn.edge(name).points, drawn.edge(name).edge.state)),
            chosen.map((index) => nodeBox(graph.nodes[index], drawn.node(String(index)))))),
      h("ul", {class: "edges"}, sentences(graph, "missing")));
}
