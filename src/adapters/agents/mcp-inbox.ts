/** What people wrote to the agent, in each session that its connection used last. */
import type { Inbox } from "../../core/gate.ts";
import { leftovers } from "./mcp-late.ts";
import type { Call, Kept, Receipt, Reply } from "./mcp-ports.ts";
import { plain } from "./mcp-reply.ts";

export async function readInbox(
  call: Call,
  { peek = false, session }: { peek?: boolean | undefined; session?: string | undefined },
): Promise<Reply> {
  const { parts, client } = call;
  const gate = await parts.gate();
  const selector = await parts.selector(client, session);
  const now = await gate.inbox(selector);
  const others = session === undefined ? [...call.sessions].filter((id) => id !== now.session) : [];
  const more = await Promise.all(others.map((id) => gate.inbox({ ...selector, session: id })));
  const boxes = [now, ...more].filter(({ messages }) => messages.length > 0);
  const messages = boxes.flatMap((box) => box.messages).toSorted((a, b) => (a.at < b.at ? -1 : 1));
  const amendments = peek ? null : keep(call, boxes);
  const { late, receipts } = await leftovers(call, [now.session], null);
  const reply = plain(
    { session: now.session, messages, late, amendments },
    lineOf(messages.length, amendments),
  );
  return peek ? reply : { ...reply, receipts: [...boxes.flatMap(receiptOf), ...receipts], outcomes: late };
}

/** One that could not be kept is what the agent has to know of. */
function keep({ parts }: Call, boxes: Inbox[]): Kept | null {
  const kept = boxes.flatMap(({ session, messages }) =>
    session === null ? [] : [parts.keep(session, messages)],
  );
  return kept.find(({ saved }) => !saved) ?? kept[0] ?? null;
}

const receiptOf = ({ session, carries }: Inbox): Receipt[] =>
  session === null ? [] : [{ session, carries: { rounds: [], messages: carries.messages } }];

function lineOf(count: number, kept: Kept | null): string {
  const said = `${count || "No"} new message${count === 1 ? "" : "s"}.`;
  if (kept === null) return said;
  const { saved, file, reason = "" } = kept;
  return saved ? `${said} Kept in ${file}.` : `${said} NOT kept in ${file} (${reason}): keep them yourself.`;
}
