/** What `doctor` found, one thing at a time. Pure. */
import type { Check } from "../../core/surface.ts";

export const ok = (name: string, detail: string): Check => ({ name, state: "ok", detail, help: "" });

export const failed = (name: string, detail: string, help: string): Check => ({
  name,
  state: "failed",
  detail,
  help,
});

export const skipped = (name: string, detail: string, help: string): Check => ({
  name,
  state: "skipped",
  detail,
  help,
});
