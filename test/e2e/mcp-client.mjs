/** An agent as a process, to be killed: connects, calls one tool, and prints the result as one line. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const { name, main, cwd, env, tool, given } = JSON.parse(process.argv[2]);
const client = new Client({ name, version: "1.0.0" });
await client.connect(new StdioClientTransport({ command: process.execPath, args: [main, "mcp"], cwd, env }));
await client.listTools();
const result = await client.callTool({ name: tool, arguments: given });
process.stdout.write(`${JSON.stringify(result.structuredContent)}\n`);
await client.close();
