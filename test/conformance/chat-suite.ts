/**
 * What people do in a chat, told once for all platforms. Called once per surface with a way to open a stage: the real bot on
 * the surface's double, which refuses what the platform refuses and fails a test whose bot did something wrong.
 */
import { describe } from "vitest";
import { askCases } from "./chat-ask.ts";
import { callCases } from "./chat-calls.ts";
import { clarityCases } from "./chat-clarity.ts";
import { corpusCases } from "./chat-corpus.ts";
import { crowdCases } from "./chat-crowd.ts";
import { directCases } from "./chat-direct.ts";
import { elsewhereCases } from "./chat-elsewhere.ts";
import { planCases } from "./chat-plan.ts";
import { safetyCases } from "./chat-safety.ts";
import type { OpenStage } from "./chat-stage.ts";
import { timeCases } from "./chat-time.ts";
import { typedCases } from "./chat-typed.ts";

export function chatSuite(name: string, openStage: OpenStage): void {
  describe(`${name}: a page of decisions`, () => clarityCases(openStage));
  describe(`${name}: in a direct message`, () => directCases(openStage));
  describe(`${name}: a plan`, () => planCases(openStage));
  describe(`${name}: questions and permissions`, () => askCases(openStage));
  describe(`${name}: calls`, () => callCases(openStage));
  describe(`${name}: several people`, () => crowdCases(openStage));
  describe(`${name}: typed words`, () => typedCases(openStage));
  describe(`${name}: elsewhere, later, in other languages`, () => elsewhereCases(openStage));
  describe(`${name}: time`, () => timeCases(openStage));
  describe(`${name}: safety`, () => safetyCases(openStage));
  describe(`${name}: the worst that can be written`, () => corpusCases(openStage));
}
