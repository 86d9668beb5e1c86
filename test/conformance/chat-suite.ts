/**
 * What people do in a chat, told once for all platforms. Called once per surface with a way to open a stage: the real bot on
 * the surface's double, which refuses what the platform refuses and fails a test whose bot did something wrong.
 */
import { describe } from "vitest";
import { clarityCases } from "./chat-clarity.ts";
import { directCases } from "./chat-direct.ts";
import { planCases } from "./chat-plan.ts";
import type { OpenStage } from "./chat-stage.ts";

export function chatSuite(name: string, openStage: OpenStage): void {
  describe(`${name}: a page of decisions`, () => clarityCases(openStage));
  describe(`${name}: in a direct message`, () => directCases(openStage));
  describe(`${name}: a plan`, () => planCases(openStage));
}
