// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/**
 * An element: `h("button", {class: "x", onclick: f}, "text", child)`. Children that are null or false are left out;
 * text never becomes markup. Attributes that are false, null or undefined are left out.
 */
export function h(name, attributes, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** The same for elements of SVG. */
export function svg(name, attributes, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith("on"))
      element.addEventListener(key.slice(2), value);
    else
      element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** A command with a button that copies it. */
export function command(text) {
  const button = h("button", {type: "button", class: "copy", onclick: copy}, "Copy");
  function copy() {
    navigator.clipboard.writeText(text).then(
        () => {
          button.textContent = "Copied";
        },
        () => {
          button.textContent = "Select it and copy by hand";
        });
  }
  return h("div", {class: "command"}, h("code", {}, text), button);
}

export function plural(count, noun) {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}
