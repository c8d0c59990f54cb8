// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A headless Chromium with one page, driven through its DevTools protocol over a pipe: messages of JSON, each with a
// zero byte behind it. Needs no library.

import {spawn} from "node:child_process";
import {mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";

const kKeys = {
  Enter: {key: "Enter", code: "Enter", windowsVirtualKeyCode: 13, text: "\r"},
  Escape: {key: "Escape", code: "Escape", windowsVirtualKeyCode: 27},
  Tab: {key: "Tab", code: "Tab", windowsVirtualKeyCode: 9},
};

export class Browser {
  #child;
  #profile;
  #session;
  #lastId = 0;
  #waiting = new Map();
  #received = "";
  #onEvent = new Map();
  /** What a page must not do: exceptions, console errors, and requests for anything but the page itself. */
  complaints = [];

  /** Starts `program` with a page `width` pixels wide. */
  static async start(program, width, height) {
    const browser = new Browser();
    browser.#profile = mkdtempSync(join(tmpdir(), "lockstep-page-"));
    const options = [
      "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
      "--remote-debugging-pipe", `--user-data-dir=${browser.#profile}`, `--window-size=${width},${height}`
    ];
    browser.#child = spawn(program, options, {stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"]});
    browser.#child.on("exit", () => browser.#fail(new Error("the browser ended")));
    browser.#child.on("error", (error) => browser.#fail(error));
    browser.#child.stdio[4].setEncoding("utf8").on("data", (data) => browser.#receive(data));
    try {
      await browser.#attach();
    } catch (error) {
      await browser.close();
      throw error;
    }
    return browser;
  }

  async #attach() {
    const {targetId} = await this.#send("Target.createTarget", {url: "about:blank"});
    this.#session = (await this.#send("Target.attachToTarget", {targetId, flatten: true})).sessionId;
    for (const domain of ["Page", "Runtime", "Network", "Log"]) await this.call(`${domain}.enable`);
  }

  async close() {
    this.#child.removeAllListeners("exit");
    const ended = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.kill();
    await ended;
    // The browser's helpers may still be writing for a moment.
    rmSync(this.#profile, {recursive: true, force: true, maxRetries: 20});
  }

  call(method, parameters = {}) {
    return this.#send(method, parameters, this.#session);
  }

  async open(url) {
    const loaded = new Promise((resolve) => this.#onEvent.set("Page.loadEventFired", resolve));
    await this.call("Page.navigate", {url});
    await loaded;
  }

  /** The value of an expression in the page; what it throws is thrown. */
  async evaluate(expression) {
    const {result, exceptionDetails} =
        await this.call("Runtime.evaluate", {expression, returnByValue: true, awaitPromise: true});
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /** Presses and releases a key, as a person would. */
  async press(name) {
    await this.call("Input.dispatchKeyEvent", {type: "keyDown", ...kKeys[name]});
    await this.call("Input.dispatchKeyEvent", {type: "keyUp", ...kKeys[name]});
  }

  /** Clicks into the middle of the element, which is brought into view. */
  async click(selector) {
    const {x, y} = await this.evaluate(`(() => {
      const element = document.querySelector(${JSON.stringify(selector)});
      if (!element) throw new Error("no element " + ${JSON.stringify(selector)});
      element.scrollIntoView({block: "center"});
      const box = element.getBoundingClientRect();
      return {x: box.x + box.width / 2, y: box.y + box.height / 2};
    })()`);
    for (const type of ["mousePressed", "mouseReleased"])
      await this.call("Input.dispatchMouseEvent", {type, x, y, button: "left", clickCount: 1});
  }

  /** Waits until what the page has in mind is drawn: charts are drawn in the next frame. */
  settle() {
    return this.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
  }

  async type(text) {
    await this.call("Input.insertText", {text});
  }

  #send(method, params, sessionId) {
    const id = ++this.#lastId;
    this.#child.stdio[3].write(JSON.stringify({id, method, params, sessionId}) + "\0");
    return new Promise((resolve, reject) => this.#waiting.set(id, {resolve, reject}));
  }

  #receive(data) {
    const messages = (this.#received + data).split("\0");
    this.#received = messages.pop();
    for (const message of messages.map((text) => JSON.parse(text))) {
      if (message.id === undefined)
        this.#notice(message);
      else
        this.#answer(message);
    }
  }

  #answer({id, result, error}) {
    const {resolve, reject} = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error)
      reject(new Error(error.message));
    else
      resolve(result);
  }

  #notice({method, params}) {
    if (method === "Runtime.exceptionThrown")
      this.complaints.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    if (method === "Log.entryAdded" && params.entry.level === "error") this.complaints.push(params.entry.text);
    if (method === "Network.requestWillBeSent" && !/^(file|about|data|blob):/.test(params.request.url))
      this.complaints.push(`request for ${params.request.url}`);
    this.#onEvent.get(method)?.(params);
    this.#onEvent.delete(method);
  }

  #fail(error) {
    for (const {reject} of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
