/** Packs neighbouring blocks of a plan into few messages, splitting at headings first. */
import type { Limits } from "./card.ts";
import { fitsBeside } from "./fit.ts";
import type { PlanBlock } from "./plan.ts";

/** Groups of neighbours, about `goal` of them: more only where the limits leave no choice. One each while they are that few. */
export function packBlocks(
  blocks: PlanBlock[],
  { goal, limits }: { goal: number; limits: Limits },
): PlanBlock[][] {
  if (blocks.length <= goal) return blocks.map((block) => [block]);
  const groups: PlanBlock[][] = [];
  let group: PlanBlock[] = [];
  let left = size(blocks);
  for (const block of blocks) {
    const target = left / Math.max(1, goal - groups.length);
    if (group.length > 0 && endsBefore(block, group, { target, last: groups.length >= goal - 1, limits })) {
      groups.push(group);
      left -= size(group);
      group = [];
    }
    group.push(block);
  }
  return group.length > 0 ? [...groups, group] : groups;
}

const size = (blocks: PlanBlock[]): number => blocks.reduce((sum, { raw }) => sum + raw.length, 0);

const isHeading = ({ raw }: PlanBlock): boolean =>
  /^ {0,3}#{1,6}\s/.test(raw) || /\n {0,3}(=+|-+)\s*$/.test(raw);

/** A heading may begin a new message once half the aim is reached; anything else only when the aim is. */
function endsBefore(
  block: PlanBlock,
  group: PlanBlock[],
  { target, last, limits }: { target: number; last: boolean; limits: Limits },
): boolean {
  const parts = [...group, block].map(({ raw }) => ({
    kind: "text" as const,
    text: raw,
    tone: "body" as const,
    at: null,
  }));
  if (!fitsBeside(parts, limits) || parts.length > limits.entries) return true;
  if (last || group.every(isHeading)) return false;
  const now = size(group);
  return isHeading(block) ? now >= target / 2 : now + block.raw.length / 2 > target;
}
