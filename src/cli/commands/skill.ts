/** `skill`: prints what an agent has to know. */
import { skill } from "../../adapters/agents/skill.ts";
import { print } from "../shell.ts";

export async function printSkill(): Promise<number> {
  await print(skill());
  return 0;
}
