/** Reads the conformance data: what was observed and decided, case by case. */
import { readFileSync } from "node:fs";
import { z } from "zod";

const FOLDER = new URL("../fixtures/conformance/", import.meta.url);

/** The cases of a file, in the shape that the test needs. */
export const cases = <Case extends z.ZodType>(name: string, shape: Case): z.infer<Case>[] =>
  file(name, z.object({ cases: z.array(shape) })).cases;

/** A whole file. */
export const file = <File extends z.ZodType>(name: string, shape: File): z.infer<File> =>
  shape.parse(JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), "utf8")));
