/** Rich text: sections, lists, quotes and code, of text, links, mentions and the like. */
import { LIMITS } from "./limits.ts";
import { array, byType, flag, integer, oneOf, type Rule, shape, text } from "./rules.ts";

const LONG = Number.POSITIVE_INFINITY;

const style = shape({
  optional: { bold: flag, italic: flag, strike: flag, code: flag, underline: flag },
});
const styled = (required: { [key: string]: Rule }, optional: { [key: string]: Rule } = {}): Rule =>
  shape({ required, optional: { style, ...optional } });

const words = styled({ text: text(LONG) });
const link = styled({ url: text(LIMITS.url) }, { text: text(LONG), unsafe: flag });
const id = text(LIMITS.id);

const inline = byType({
  text: words,
  link,
  user: styled({ user_id: id }),
  usergroup: styled({ usergroup_id: id }),
  team: styled({ team_id: id }),
  channel: styled({ channel_id: id }),
  emoji: styled({ name: id }, { unicode: id, url: text(LIMITS.url) }),
  date: styled(
    { timestamp: integer(0, Number.MAX_SAFE_INTEGER), format: text(LONG) },
    { url: text(LIMITS.url), fallback: text(LONG) },
  ),
  broadcast: styled({ range: oneOf("here", "channel", "everyone") }),
  color: styled({ value: id }),
});

const border = integer(0, 1);
const section = shape({ required: { elements: array(inline, 0) } });

const richList = shape({
  required: {
    elements: array(byType({ rich_text_section: section }), 1),
    style: oneOf("bullet", "ordered"),
  },
  optional: {
    indent: integer(0, LIMITS.listIndent),
    offset: integer(0, Number.MAX_SAFE_INTEGER),
    border,
  },
});

/** The parts of a `rich_text` block. */
export const richTextParts: Rule = array(
  byType({
    rich_text_section: section,
    rich_text_list: richList,
    rich_text_quote: shape({ required: { elements: array(inline, 0) }, optional: { border } }),
    rich_text_preformatted: shape({
      required: { elements: array(byType({ text: words, link }), 0) },
      optional: { border, language: text(LIMITS.id) },
    }),
  }),
  1,
);
