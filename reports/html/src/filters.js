// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import {h} from "./dom.js";
import {namesOf} from "./model.js";

const kTitles = {
  verdict: "Verdict",
  backend: "Backend",
  lowering: "Lowering"
};

/**
 * The filters above the matrix: a group of toggles for each of verdict, backend and lowering, and a text. Calls
 * `onChange(filter)` at each change; `filter` has a set of names a group, and the text in lower case.
 */
export function filterBar(data, filter, onChange) {
  const count = h("span", {id: "filter-count", role: "status"});
  const text = h("input", {
    type: "search",
    id: "filter-text",
    placeholder: "name, message, rule or operation",
    oninput: () => {
      filter.text = text.value.trim().toLowerCase();
      onChange(filter);
    }
  });
  const toggles = [];
  function group(key) {
    const names = key === "verdict" ? Object.keys(data.verdicts).filter((name) => filter.verdict.has(name)) :
                                      namesOf(data.results.cells, key);
    return h("fieldset", {}, h("legend", {}, kTitles[key]), names.map((name) => toggle(key, name)));
  }
  function toggle(key, name) {
    const button =
        h("button", {
          type: "button",
          "aria-pressed": "true",
          "data-filter": key,
          "data-name": name,
          class: `toggle ${key === "verdict" ? `v-${name}` : ""}`,
          onclick: press
        },
          name);
    function press() {
      const isOn = button.getAttribute("aria-pressed") === "true";
      button.setAttribute("aria-pressed", String(!isOn));
      if (isOn)
        filter[key].delete(name);
      else
        filter[key].add(name);
      onChange(filter);
    }
    toggles.push(() => {
      button.setAttribute("aria-pressed", "true");
      filter[key].add(name);
    });
    return button;
  }
  function reset() {
    toggles.forEach((turnOn) => turnOn());
    text.value = filter.text = "";
    onChange(filter);
  }
  return {
    count,
    element:
        h("section", {class: "filters", "aria-label": "Filters"}, group("verdict"), group("backend"), group("lowering"),
          h("label", {}, "Contains ", text),
          h("button", {type: "button", id: "filter-reset", onclick: reset}, "Show all"), count),
  };
}

/** A filter that lets everything through. */
export function openFilter(data) {
  const cells = data.results.cells;
  return {
    verdict: new Set(namesOf(cells, "verdict")),
    backend: new Set(namesOf(cells, "backend")),
    lowering: new Set(namesOf(cells, "lowering")),
    text: ""
  };
}
