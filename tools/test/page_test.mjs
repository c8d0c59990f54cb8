// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clicks through report.html in a headless Chromium.
//
//   node page_test.mjs CHROMIUM LOCKSTEP FOLDER     FOLDER takes the report

import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {rmSync} from "node:fs";
import {after, before, test} from "node:test";
import {fileURLToPath, pathToFileURL} from "node:url";

import {Browser} from "./Inputs/browser.mjs";

const [chromium, lockstep, folder] = process.argv.slice(2);
const results = fileURLToPath(new URL("Inputs/page-results.json", import.meta.url));
const page = pathToFileURL(`${folder}/report.html`).href;
const failing = ".place[data-backend=\"cuda\"][data-lowering=\"streams\"][data-scenario=\"suites/diamond.mlir\"]";
let browser;

const count = (selector) => browser.evaluate(`document.querySelectorAll(${JSON.stringify(selector)}).length`);
const text = (selector) => browser.evaluate(`document.querySelector(${JSON.stringify(selector)}).textContent`);
const isHidden = (selector) => browser.evaluate(`document.querySelector(${JSON.stringify(selector)}).hidden`);
const style = (selector, name) =>
    browser.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(selector)}))[${JSON.stringify(name)}]`);

before(async () => {
  rmSync(folder, {recursive: true, force: true});
  execFileSync(lockstep, ["report", results, "--out", folder]);
  browser = await Browser.start(chromium, 1280, 1000);
});
after(() => browser?.close());

/** Each test begins with a fresh page under a light system, and ends without a complaint of the page. */
function pageTest(name, body) {
  test(name, async () => {
    browser.complaints = [];
    await browser.call("Emulation.setEmulatedMedia", {features: [{name: "prefers-color-scheme", value: "light"}]});
    await browser.open("about:blank");
    await browser.open(page);
    await body();
    assert.deepEqual(browser.complaints, []);
  });
}

pageTest("says in one sentence what came out, and what ran", async () => {
  assert.equal(await text("#sentence"), "5 of 24 cells did not come out as expected.");
  assert.match(await text("#totals"), /crash4the program's process died/);
  assert.match(await text("#environment"), /commit0123456789abcdef, with changes that are not committed/);
  assert.match(await text("#environment"), /cuda driversimulated, version 13.0/);
  assert.equal(await count("#matrix tbody tr"), 2);
  assert.equal(await count(".place"), 12);
  assert.equal(await text(failing), "✗ fail 1/2");
});

pageTest("text of results is text", async () => {
  assert.match(await text("#matrix"), /<b>bold<\/b>\.mlir/);
  assert.match(await text("#faults"), /<\/script><script>window\.broken/);
  assert.equal(await browser.evaluate("window.broken"), undefined);
});

pageTest("a place opens with a click and shows finding, command, graph and timeline", async () => {
  assert.equal(await isHidden("#detail"), true);
  await browser.click(failing);
  await browser.settle();
  assert.equal(await isHidden("#detail"), false);
  assert.equal(await text("#detail-title"), "suites/diamond.mlir");
  assert.match(await text(".finding"), /orderORDER-1right is not ordered behind top/);
  assert.equal(
      await text(".command code"),
      "lockstep run suites/diamond.mlir --lowering streams --backend cuda --schedule lazy");
  assert.equal(await count("#graph .node"), 5);
  assert.equal(await count("#graph .edge"), 5);
  assert.equal(await count("#graph .edge.missing"), 1);
  assert.equal(await style("#graph .edge.missing", "stroke"), "rgb(209, 31, 47)");
  assert.match(await text(".edges"), /top \(suites\/diamond\.mlir:4:3\) must come before right/);
  // Four spans, and the red arrow: the line and its head.
  assert.equal(
      await count("#timeline path[fill=\"rgb(143, 184, 232)\"], #timeline path[fill=\"rgb(155, 211, 176)\"]"), 4);
  assert.ok(await count("#timeline [stroke=\"rgb(209, 31, 47)\"]") > 0);
  assert.match(await text("#timeline"), /stream 2/);
  assert.equal(await labelsFit("#timeline"), true);
});

pageTest("another schedule of the place shows its own cell", async () => {
  await browser.click(failing);
  await browser.click(".tabs .v-pass");
  assert.match(await text(".cell"), /everything that was checked is as it must be/);
  assert.equal(await count(".finding"), 0);
  assert.equal(await count("#graph"), 0);
});

pageTest("the keyboard is enough", async () => {
  await browser.evaluate(`document.querySelector(${JSON.stringify(failing)}).focus()`);
  await browser.press("Enter");
  assert.equal(await isHidden("#detail"), false);
  assert.equal(await browser.evaluate("document.activeElement.id"), "detail-title");
  await browser.press("Tab");
  assert.equal(await browser.evaluate("document.activeElement.closest(\"#detail\") !== null"), true);
  await browser.press("Escape");
  assert.equal(await isHidden("#detail"), true);
  assert.equal(await browser.evaluate(`document.activeElement.matches(${JSON.stringify(failing)})`), true);
});

pageTest("an address opens its place", async () => {
  await browser.click(failing);
  const address = await browser.evaluate("location.href");
  await browser.open("about:blank");
  await browser.open(address);
  assert.equal(await text("#detail-title"), "suites/diamond.mlir");
  await browser.click("#detail-close");
  assert.equal(await browser.evaluate("location.hash"), "");
});

pageTest("filters leave what they say", async () => {
  await browser.click("[data-filter=\"verdict\"][data-name=\"pass\"]");
  assert.equal(await text("#filter-count"), "9 of 24 cells shown");
  assert.equal(await text(failing), "✗ fail 0/1");
  await browser.click("[data-filter=\"backend\"][data-name=\"hip\"]");
  assert.equal(await text("#filter-count"), "5 of 24 cells shown");
  await browser.click("[data-filter=\"lowering\"][data-name=\"upstream\"]");
  assert.equal(await text("#filter-count"), "1 of 24 cells shown");
  assert.equal(await count(".fault"), 1);
  await browser.click("#filter-reset");
  assert.equal(await text("#filter-count"), "24 of 24 cells shown");
  await browser.click("#filter-text");
  await browser.type("ORDER-1");
  assert.equal(await text("#filter-count"), "1 of 24 cells shown");
  await browser.type(" nowhere");
  assert.equal(await text("#matrix"), "No cell is left by the filters.");
});

/** True where every label of the chart is within it. */
function labelsFit(selector) {
  return browser.evaluate(`(() => {
    const chart = document.querySelector(${JSON.stringify(selector)});
    const frame = chart.getBoundingClientRect();
    return [...chart.querySelectorAll("text")].map((label) => label.getBoundingClientRect()).every((box) =>
        box.left >= frame.left && box.right <= frame.right && box.top >= frame.top && box.bottom <= frame.bottom);
  })()`);
}

pageTest("metrics are drawn and listed by backend and lowering", async () => {
  await browser.settle();
  assert.match(await text("#metrics"), /driver calls calls202440202440/);
  assert.match(await text("#metric-chart"), /12\.5/);
  await browser.evaluate(`(() => {
    const choice = document.querySelector("#metric-choice");
    choice.value = "driver_calls";
    choice.dispatchEvent(new Event("change"));
  })()`);
  await browser.settle();
  assert.match(await text("#metric-chart"), /cuda upstream/);
  assert.match(await text("#metric-chart"), /40/);
  assert.equal(await labelsFit("#metric-chart"), true);
});

pageTest("dark and light, by the system and by the button", async () => {
  const light = "rgb(246, 247, 249)", dark = "rgb(20, 23, 29)";
  assert.equal(await style("body", "backgroundColor"), light);
  await browser.click(failing);
  await browser.call("Emulation.setEmulatedMedia", {features: [{name: "prefers-color-scheme", value: "dark"}]});
  await browser.settle();
  assert.equal(await style("body", "backgroundColor"), dark);
  assert.equal(await style("#graph .edge.missing", "stroke"), "rgb(255, 98, 112)");
  assert.ok(await count("#timeline [stroke=\"rgb(255, 98, 112)\"]") > 0);
  await browser.press("Escape");
  await browser.click("#theme");
  assert.equal(await style("body", "backgroundColor"), light);
  assert.equal(await text("#theme"), "Dark");
});
