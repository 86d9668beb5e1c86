/** The words of `--help` that are more than a list of flags. */

export const OVERVIEW = `
An agent's command blocks here until people have decided, then prints one JSON result.

Try it:
  $ askgate clarity up --input examples/login.json      decisions, with follow-ups
  $ askgate plan up --input examples/plan.json          a plan to approve or comment

In Slack or Discord:
  $ askgate setup slack                                 once; then questions come to your phone
  $ askgate setup discord                               the same there
  $ askgate plan up --input plan.json --to '#plans'

From an agent:
  $ askgate clarity up --no-open < questions.json > answer.json
  $ askgate brief check                                 is the task clear already? then ask nobody
  $ askgate ask "Web UI or terminal?" --option "Web UI" --option Terminal
  $ askgate permission "Migrate the database" --command "npm run migrate" && npm run migrate
  $ askgate inbox                                       what people wrote meanwhile
  $ askgate wait r_4k2m9x-1 --timeout 8m                attach again, as often as needed
  $ askgate clarity down                                the task is over

Standard output carries the result and nothing else. Exit codes:
  0 submitted   3 cancelled, declined   4 timeout, pending   5 unreachable
  6 over quota  2 usage, invalid        1 internal error     130, 143, 129 interrupted; the question stays open`;

export const CLARITY_UP = `
The payload is a tree of decisions. A decision with \`show_if\` appears once its option is picked
(\`askgate schema clarity\` has it all, \`askgate check\` validates):
  { "title": "Login", "context": "Email first, B2C.", "decisions": [
    { "id": "auth", "question": "Which auth methods?", "recommendation_reason": "Lowest friction for B2C.",
      "options": [ { "id": "link", "label": "Magic link only", "recommended": true },
                   { "id": "both", "label": "Password and link", "recommended": false } ] },
    { "id": "policy", "question": "Password policy?", "recommendation_reason": "Most people cope with it.",
      "show_if": { "decision": "auth", "in": ["both"] }, "allow_custom": true,
      "options": [ { "id": "lenient", "label": "Lenient", "recommended": true },
                   { "id": "strict", "label": "Strict", "recommended": false } ] } ] }

Examples:
  $ askgate clarity up < login.json
  $ askgate clarity up --input login.json --out answers/login.json --timeout 2h
  $ askgate clarity up --input login.json --via terminal

The same command again attaches to the same question: nobody is asked twice.`;

export const CLARITY_CONTINUE = `
The payload has a \`flow\`: {"flow": {"session_id": "login-prd", "page_id": "second"}, …}. The open page of the
session shows the next one by itself.

Example:
  $ askgate clarity continue --input second-page.json`;

export const PLAN_UP = `
The payload is {"title": "…", "plan": "# Markdown …"}. People comment on its blocks, then approve or request changes.

Examples:
  $ askgate plan up --input plan.json
  $ jq -n --rawfile plan plan.md '{title: "Login flow", plan: $plan}' | askgate plan up

\`"decision": "revise"\` is an answer too: exit 0, with the comments under \`annotations\`.`;

export const WAIT = `
--timeout is patience here: when it ends, exit 4 with "pending", and nothing changes for people.

Example:
  $ askgate wait r_4k2m9x-1 --timeout 8m`;

export const MCP = `
Tools: ask, clarify, review_plan, request_permission, wait, inbox, say, brief_submit. A call waits 45 seconds
(wait_seconds), then returns "pending" with a round, and \`wait\` goes on: so no client's limit loses an answer. An
answer that comes while no call waits is given with the next one, also after the client was restarted.

An agent starts it; register it once:
  Claude Code   $ claude mcp add askgate -- askgate mcp
                or .mcp.json:        { "mcpServers": { "askgate": { "command": "askgate", "args": ["mcp"] } } }
  Codex         $ codex mcp add askgate -- askgate mcp
                or config.toml:      [mcp_servers.askgate]
                                     command = "askgate"
                                     args = ["mcp"]
  Gemini CLI    $ gemini mcp add askgate askgate mcp
                or settings.json:    { "mcpServers": { "askgate": { "command": "askgate", "args": ["mcp"] } } }
  OpenCode      opencode.json:       { "mcp": { "askgate": { "type": "local", "command": ["askgate", "mcp"] } } }

It works in the folder where the agent starts it (Claude Code: in the agent's project). Tokens, askgate.json and the
variables are those of all commands; ASKGATE_SESSION names the session where several agents share one.`;

export const CHECK = `
All mistakes are named with their paths. The kind is seen from the payload, or given with --kind.

Examples:
  $ askgate check login.json
  $ askgate check --kind plan - < plan.json`;

export const SCHEMA = `
Example:
  $ askgate schema clarity > clarity.schema.json`;

export const SETUP_SLACK = `
It says what to click, takes the two tokens (not shown, never as a flag), connects, and sends you a button in Slack, so
that \`--to me\` is you. The bot keeps the connection, in a file that only you can read; nothing else is needed.

Examples:
  $ askgate setup slack
  $ askgate setup slack --manifest | pbcopy
  $ askgate setup slack --me ana@acme.example           with SLACK_BOT_TOKEN and SLACK_APP_TOKEN set

Tokens in the environment or in the project's .env are used where they are set, also without any setup.`;

export const SETUP_DISCORD = `
It says what to click, takes the bot's token (not shown, never as a flag), connects, shows the link that lets the bot into
your server with just the permissions it needs, and sends you a button in Discord, so that \`--to me\` is you. The bot
keeps the connection, in a file that only you can read; nothing else is needed.

Examples:
  $ askgate setup discord
  $ askgate setup discord --invite                      the link, for whoever manages the server
  $ askgate setup discord --me @ana                     with DISCORD_TOKEN set

A token in the environment or in the project's .env is used where it is set, also without any setup.`;

export const DOCTOR = `
One line for each thing: ✓ fine, ✗ not (what to do stands below), – not looked at. Exit 0 when nothing failed, else 5.

Examples:
  $ askgate doctor
  $ askgate doctor --to '#plans' --to me`;
