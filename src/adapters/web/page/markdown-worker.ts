/** Markdown → HTML away from the page, which stays responsive and ends this worker when a block takes too long. */
import { Marked } from "marked";
import { READY, sourceFrom } from "./wire.ts";

export interface Source {
  id: number;
  raw: string;
}

/** `html` is not sanitised yet; null where the block could not be rendered. */
export interface Rendered {
  id: number;
  html: string | null;
}

const marked = new Marked({ gfm: true, async: false });

/** Headings of a plan stand below the page's own. */
marked.use({
  renderer: {
    heading({ tokens, depth }) {
      const level = Math.min(depth + 1, 6);
      return `<h${level} data-depth="${depth}">${this.parser.parseInline(tokens)}</h${level}>\n`;
    },
  },
});

function render(raw: string): string | null {
  try {
    return marked.parse(raw, { async: false });
  } catch {
    return null;
  }
}

self.addEventListener("message", (event: MessageEvent) => {
  const { id, raw } = sourceFrom(event);
  self.postMessage({ id, html: render(raw) } satisfies Rendered);
});

self.postMessage({ id: READY, html: null } satisfies Rendered);
