/**
 * HTML of a plan's block → nodes that are safe to show: nothing runs, nothing is fetched, nothing looks like a part of
 * the page. What is not text, structure or a link is dropped.
 */
import DOMPurify from "dompurify";

const TAGS = [
  ...[
    "a",
    "abbr",
    "b",
    "blockquote",
    "br",
    "code",
    "dd",
    "del",
    "details",
    "div",
    "dl",
    "dt",
    "em",
    "h2",
    "h3",
  ],
  ...[
    "h4",
    "h5",
    "h6",
    "hr",
    "i",
    "ins",
    "kbd",
    "li",
    "mark",
    "ol",
    "p",
    "pre",
    "q",
    "s",
    "samp",
    "small",
    "span",
  ],
  ...[
    "strong",
    "sub",
    "summary",
    "sup",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "tr",
    "u",
    "ul",
    "var",
  ],
];
const ATTRIBUTES = [
  "href",
  "title",
  "start",
  "align",
  "colspan",
  "rowspan",
  "lang",
  "dir",
  "data-depth",
  "data-task",
];

export interface PageWords {
  image: string;
  done: string;
  open: string;
  table: string;
}

export function sanitise(html: string, words: PageWords): DocumentFragment {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  replaceImages(parsed, words);
  replaceTasks(parsed);
  const clean = DOMPurify.sanitize(parsed.body.innerHTML, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ATTRIBUTES,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    ALLOWED_URI_REGEXP: /^(?:https?:\/\/|mailto:)/i,
    ADD_URI_SAFE_ATTR: ATTRIBUTES.filter((name) => name !== "href"),
    RETURN_DOM_FRAGMENT: true,
  });
  for (const link of clean.querySelectorAll("a[href]")) {
    link.setAttribute("target", "_blank");
    link.setAttribute("rel", "noopener noreferrer");
  }
  for (const task of clean.querySelectorAll("span[data-task]")) label(task, words);
  for (const table of clean.querySelectorAll("table")) wrap(table, words);
  return clean;
}

/** A picture becomes a link to it: the page itself fetches nothing. The parsed document is inert, so neither does this. */
function replaceImages(parsed: Document, words: PageWords): void {
  for (const image of parsed.querySelectorAll("img")) {
    const source = image.getAttribute("src") ?? "";
    const name = image.getAttribute("alt")?.trim() || source.slice(0, 120) || words.image;
    const inLink = image.closest("a") !== null;
    const shown = parsed.createElement(/^https?:/i.test(source) && !inLink ? "a" : "span");
    if (shown.tagName === "A") shown.setAttribute("href", source);
    shown.textContent = `${words.image}: ${name}`;
    image.replaceWith(shown);
  }
}

function replaceTasks(parsed: Document): void {
  for (const box of parsed.querySelectorAll("li input[type=checkbox]")) {
    const mark = parsed.createElement("span");
    mark.setAttribute("data-task", box.hasAttribute("checked") ? "done" : "open");
    box.replaceWith(mark);
  }
}

function label(task: Element, words: PageWords): void {
  task.setAttribute("role", "img");
  task.setAttribute("aria-label", task.getAttribute("data-task") === "done" ? words.done : words.open);
  task.textContent = "";
  task.closest("li")?.setAttribute("data-task", "");
}

/** A wide table scrolls by itself, by keyboard as well. */
function wrap(table: Element, words: PageWords): void {
  const frame = document.createElement("div");
  frame.className = "scroll";
  frame.tabIndex = 0;
  frame.setAttribute("role", "region");
  frame.setAttribute("aria-label", words.table);
  table.replaceWith(frame);
  frame.append(table);
}
