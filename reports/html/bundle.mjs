// Part of Lockstep, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the page of the report, all but the data, as two string literals of C++: what stands before the data and what
// stands behind it.
//
//   NODE_PATH=BUILD/node_modules node bundle.mjs OUTPUT.inc

import {readFileSync, writeFileSync} from "node:fs";
import {createRequire} from "node:module";
import {dirname, join} from "node:path";
import {fileURLToPath, pathToFileURL} from "node:url";

const modules = process.env.NODE_PATH;
const here = dirname(fileURLToPath(import.meta.url));
// A module of ECMAScript does not look into NODE_PATH by itself.
const {build} = createRequire(pathToFileURL(join(modules, "x.js")))("esbuild");

// Of each library its license, as its package has it.
const kLibraries = {
  "echarts": ["LICENSE", "NOTICE"],
  "zrender": ["LICENSE"],
  "tslib": ["LICENSE.txt"],
  "@dagrejs/dagre": ["LICENSE"],
  "@dagrejs/graphlib": ["LICENSE"],
};

async function bundle(name) {
  const {outputFiles} = await build({
    entryPoints: [join(here, "src", name)],
    bundle: true,
    charset: "ascii",
    format: "iife",
    legalComments: "none",  // The licenses stand in the page as a whole.
    logLevel: "warning",
    minify: true,
    nodePaths: [modules],
    target: "es2020",
    write: false,
  });
  return outputFiles[0].text.trim();
}

function licenses() {
  const texts = Object.entries(kLibraries).map(([library, files]) => {
    const {version} = JSON.parse(readFileSync(join(modules, library, "package.json"), "utf8"));
    return [`${library} ${version}`, ...files.map((file) => readFileSync(join(modules, library, file), "utf8"))].join(
        "\n\n");
  });
  return texts.join("\n\n\n").replaceAll("</", "<\\/");
}

/** One literal: a raw string whose end mark does not occur in it. */
function literal(name, text) {
  const mark = "LockstepPage";
  if (text.includes(`)${mark}"`)) throw new Error("the page contains the end mark of its literal");
  return `static constexpr char ${name}[] = R"${mark}(${text})${mark}";\n`;
}

const parts = {
  style: await bundle("style.css"),
  licenses: licenses(),
  script: await bundle("main.js")
};
const halves = readFileSync(join(here, "page.html"), "utf8").split("{data}");
if (halves.length !== 2) throw new Error("page.html must have one place for the data");
// Not a text as replacement: "$&" in a script would mean something.
const [before, after] = halves.map((half) => half.replace(/\{(style|licenses|script)\}/g, (_, name) => parts[name]));
writeFileSync(process.argv[2], literal("kPageBefore", before) + literal("kPageAfter", after));
