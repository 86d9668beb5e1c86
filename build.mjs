/** Builds dist: the command line, the exports and the page. */
import { readFileSync, rmSync } from "node:fs";
import { buildClient } from "./build-client.mjs";
import { buildPage } from "./build-page.mjs";

rmSync("dist", { recursive: true, force: true });
await buildClient(JSON.parse(readFileSync("package.json", "utf8")));
await buildPage("dist/page");
