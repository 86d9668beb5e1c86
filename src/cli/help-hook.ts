/** The words of `--help` for hooks and the skill. */

export const HOOK = `
An agent runs this for its own events; \`askgate hook install\` sets it up. One command answers all of them:
  Claude Code   AskUserQuestion and ExitPlanMode are asked in chat, beside the terminal's dialog in the default mode and
                instead of it in the others; PermissionRequest; SessionStart names the brief and how it stands;
                PreToolUse guards (--guard, or "guard" in askgate.json)
  Codex         PermissionRequest; Stop with a proposed plan

Nobody answered, or nobody could be asked: the agent is told so and what to do, and nothing is approved. Where the agent
would go on by itself when its hook fails, the answer is no; where it has a dialog, the dialog stays.

Examples:
  $ askgate hook install claude-code --guard
  $ askgate hook claude-code < event.json               what the agent would read`;

export const HOOK_INSTALL = `
Shows the change to the settings file, asks, writes it, and keeps the file as it was beside it. Other hooks stay. The
skill (\`askgate skill\`) goes where the agent looks for skills. The same command again brings both up to date.

Examples:
  $ askgate hook install claude-code --dry-run
  $ askgate hook install claude-code --guard --yes
  $ askgate hook install codex --user
  $ askgate hook install claude-code --undo`;

export const SKILL = `
For agents that have no skills of their own: put it into their instructions. \`askgate hook install\` puts it in place for
Claude Code and Codex.

Example:
  $ askgate skill >> AGENTS.md`;
