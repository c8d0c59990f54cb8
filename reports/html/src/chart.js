// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of ECharts that the page needs, and how its charts take the colours of the page.

import {BarChart, CustomChart} from "echarts/charts";
import {AriaComponent, DataZoomComponent, GridComponent, TooltipComponent} from "echarts/components";
import * as echarts from "echarts/core";
import {SVGRenderer} from "echarts/renderers";

import {h} from "./dom.js";

echarts.use([AriaComponent, BarChart, CustomChart, DataZoomComponent, GridComponent, SVGRenderer, TooltipComponent]);

/** The colour that the style sheet gives the name, under the theme of now. */
export function colour(name) {
  // Only in a property that takes a colour does the browser choose between light and dark.
  const probe = document.body.appendChild(h("span", {style: `color: var(--${name})`}));
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

/** What all charts have in common. */
export function baseOption(description) {
  const text = {color: colour("text")};
  const line = {lineStyle: {color: colour("line")}};
  return {
    animation: false,
    aria: {enabled: true, label: {description}},
    // Spelt out, for the room that a label needs is measured before it is in the page.
    textStyle: {...text, fontFamily: getComputedStyle(document.body).fontFamily},
    tooltip: {backgroundColor: colour("panel"), borderColor: colour("line"), textStyle: text, confine: true},
    axis: {axisLabel: text, nameTextStyle: text, axisLine: line, axisTick: line, splitLine: line},
  };
}

/**
 * A chart of `height` pixels that `makeOption` describes. It is drawn by `shown`, once it is in the document and has a
 * width; `redraw` describes it anew, for another theme or other data.
 */
export function chart(id, height, makeOption) {
  const element = h("div", {id, class: "chart", style: `height:${height}px`});
  let drawn = null;
  const redraw = () => drawn?.setOption(makeOption(), {notMerge: true});
  function shown() {
    drawn = echarts.init(element, null, {renderer: "svg"});
    redraw();
    new ResizeObserver(() => drawn.resize()).observe(element);
  }
  return {element, shown, redraw};
}
