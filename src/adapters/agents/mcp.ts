/**
 * The MCP server: people as tools. It holds no state that matters: questions and answers are the gate's, so a client that
 * leaves, or is killed, finds them again.
 */
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  type CallToolRequest,
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type ServerNotification,
  type ServerRequest,
  ToolSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { Call, McpParts, Reply } from "./mcp-ports.ts";
import { Receipts } from "./mcp-receipts.ts";
import { failed } from "./mcp-reply.ts";
import { TOOLS, type Tool } from "./mcp-tools.ts";
import { type Watcher, watched } from "./mcp-transport.ts";

const INSTRUCTIONS = `People decide through these tools, in the chat on their phone or on a page; they may be away.
Ask before you guess: one open point with ask, several with clarify, a plan with review_plan, a risky command with request_permission. Do not ask what you can find out.
A call waits wait_seconds (45), then returns status "pending" with a round while people are still asked: call wait with it, or do other work and look later. The answer is never lost; the same call again goes on with the same question.
Without an answer (timeout, declined, cancelled, over_quota) go on by your own judgement, write the assumption down under "Unknowns and assumptions", and do not ask again in other words.
A result may bring "late" (answers to earlier questions) and "unread" (call inbox).`;

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** Serves one client. Resolves when it is gone and all that it took is acknowledged. */
export async function serveMcp(parts: McpParts, transport: Transport): Promise<void> {
  const server = new Server(
    { name: "askgate", title: "askgate", version: parts.version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  const receipts = new Receipts(parts);
  const connection: Connection = {
    parts,
    server,
    receipts,
    sessions: new Set(),
    overdue: new Set(),
    isGone: false,
  };
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: TOOLS.map(listed) }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) => answer(connection, params, extra));
  server.onerror = (error) => parts.say(`askgate mcp: ${error.message}`);
  const gone = new Promise<void>((resolve) => {
    server.onclose = resolve;
  });
  await server.connect(watched(transport, watcher(connection)));
  await gone;
  await receipts.settled();
}

interface Connection {
  parts: McpParts;
  server: Server;
  receipts: Receipts;
  sessions: Set<string>;
  overdue: Set<string>;
  isGone: boolean;
}

const watcher = (connection: Connection): Watcher => ({
  sent: (id) => connection.receipts.sent(id),
  cancelled: (id) => connection.receipts.cancelled(id),
  closed: () => {
    connection.isGone = true;
  },
});

async function answer(
  connection: Connection,
  { name, arguments: given = {} }: CallToolRequest["params"],
  extra: Extra,
): Promise<CallToolResult> {
  const { receipts } = connection;
  const tool = TOOLS.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${name}.`);
  await receipts.settled();
  const reply = await replyOf(tool, callOf(connection, extra), given);
  if (extra.signal.aborted) receipts.drop(extra.requestId);
  else receipts.owe(extra.requestId, reply);
  return toResult(tool, reply);
}

const callOf = (connection: Connection, extra: Extra): Call => ({
  parts: connection.parts,
  client: connection.server.getClientVersion()?.name ?? "",
  claim: (rounds) => connection.receipts.claim(extra.requestId, rounds),
  isClaimed: (round) => connection.receipts.isClaimed(extra.requestId, round),
  crossed: () => connection.receipts.crossed(),
  sessions: connection.sessions,
  overdue: connection.overdue,
  signal: extra.signal,
  hasLeft: () => connection.isGone,
  progress: progressTo(extra, connection.parts),
});

const listed = ({ name, title, description, annotations, input, output }: Tool) =>
  ToolSchema.parse({
    name,
    title,
    description,
    annotations: { title, ...annotations },
    inputSchema: z.toJSONSchema(input, { io: "input", target: "draft-7" }),
    outputSchema: z.toJSONSchema(output, { io: "output", target: "draft-7" }),
  });

/** Expected refusals are replies as well: an agent can do something about them. */
async function replyOf(tool: Tool, call: Call, input: unknown): Promise<Reply> {
  try {
    return await tool.run(call, input);
  } catch (error) {
    return failed(call.parts.explain(error));
  }
}

/** An error need not be what the tool promises; where it is not, it stands in the text alone. */
function toResult({ output }: Tool, { result, line, isError }: Reply): CallToolResult {
  const text = `${line}\n${JSON.stringify(result)}`;
  const keeps = output.safeParse(result).success;
  return {
    content: [{ type: "text", text }],
    ...(keeps ? { structuredContent: result } : {}),
    ...(isError ? { isError } : {}),
  };
}

function progressTo({ _meta, sendNotification }: Extra, parts: McpParts): Call["progress"] {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return null;
  let progress = 0;
  return (message) => {
    progress += 1;
    sendNotification({
      method: "notifications/progress",
      params: { progressToken, progress, message },
    }).catch((error) => parts.say(`askgate mcp: ${parts.explain(error).message}`));
  };
}
