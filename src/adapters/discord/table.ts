/** A Markdown table for a phone. Pure. */
import type { Tokens } from "marked";
import { labelOf, layTable } from "../shared/table.ts";
import { drawPieces } from "./inline.ts";
import { fenced, strong } from "./text.ts";

/** In columns of fixed width, or a list of the rows, each cell on a line of its own under its heading. */
export function drawTable(token: Tokens.Table): string {
  const layout = layTable(token);
  if (layout.kind === "fixed") return fenced(layout.text);
  if (layout.rows.length === 0) return layout.names.map(strong).join(" · ");
  return layout.rows
    .map((row) =>
      row
        .map(
          ({ name, cell }) =>
            `${name === "" ? "" : `${strong(labelOf(name).trim())} `}${drawPieces(cell) || "–"}`,
        )
        .map((line, index) => `${index === 0 ? "- " : "  "}${line.replaceAll(/\s*\n\s*/g, " ")}`)
        .join("\n"),
    )
    .join("\n");
}
