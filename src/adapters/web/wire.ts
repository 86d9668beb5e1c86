/** What crosses the edge of the web surface: bodies that the page sends, and the record that keeps port and key. */
import { z } from "zod";

/** One press. Ids are made by the page, so that sending it twice is harmless. */
export const ACT = z.strictObject({
  id: z.string().min(8).max(80),
  button: z.string().min(1).max(200),
  values: z.array(z.string().max(80)).max(100),
  words: z.string().nullable(),
});

/** The fragment of a printed link. */
export const ENTER = z.strictObject({ session: z.string().max(80), secret: z.string().max(200) });

/** `web.json` in the state directory: a restarted bot has the same address, and cookies stay valid. */
export const KEPT = z.object({
  port: z.number().int().min(1).max(65_535),
  key: z.string().regex(/^[\w-]{43}$/),
});
export type Kept = z.infer<typeof KEPT>;

/** The text as JSON, or undefined where it is none (no JSON text means undefined). */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
