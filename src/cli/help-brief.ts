/** The words of `--help` for the brief and the decision record. */

export const BRIEF = `
A brief says what is wanted in four sections: Goal, Acceptance criteria, Boundaries, Unknowns and assumptions. It stands in
.askgate/brief.md; edit it to change what is wanted. Headings may be English, Chinese, French, Spanish or German.

The way of a task:
  $ askgate brief check || …clarify…                    complete already? then nobody is asked again
  $ askgate ask "Which users?" --option All --option Staff
  $ askgate brief freeze --ask < reply.md               people look at it, then it is frozen
  $ askgate brief prompt                                what the next step of the work needs to know
  $ askgate brief new                                   the next task: all of it goes into the archive`;

export const BRIEF_CHECK = `
Complete: exit 0. Otherwise exit 2, with the sections that have no text and all that was asked in this project since the
last brief was archived: an agent that goes on after a break repeats none of it.

Examples:
  $ askgate brief check                                 the project's brief
  $ askgate brief check reply.md --locale fr            an agent's reply, before it is frozen
  $ askgate brief check --always-ask                    people want to be asked anew, whatever stands there

  { "status": "invalid", "reason": "…", "missing": ["Boundaries"], "missingKeys": ["bounds"],
    "answered": [ { "question": "Which users?", "answer": "Staff", "by": "Ana", "at": "2026-12-01T10:00:00Z" } ],
    "unanswered": [ { "question": "Which port?", "status": "timeout" } ] }`;

export const BRIEF_FREEZE = `
Takes an agent's reply: the four sections are found by their headings, and whatever else it says is left out. Complete: it
is written to .askgate/brief.md, and another brief that stood there is moved into .askgate/archive/<time>/. Incomplete: exit
2 as \`brief check\`, and nothing changes.

--ask shows it to people first, with the flags of \`askgate ask\`. *Freeze it* freezes. *Change it*, and any words of their
own, do not: exit 0 with "decision": "change", and the words under "answer". Nobody answered: exit 4, nothing is frozen; the
same command again takes an answer that came later.

Examples:
  $ askgate brief freeze < reply.md
  $ askgate brief freeze reply.md --ask --to '#plans' --timeout 2h
  $ askgate brief freeze - --locale de <<'EOF'

  { "status": "submitted", "file": ".askgate/brief.md", "sections": { "goal": "…", "accept": "…", "bounds": "…",
    "unknowns": "…" }, "archived": ".askgate/archive/2026-12-01T10-00-00Z/brief.md" }`;

export const BRIEF_SHOW = `
On a terminal the files as they stand; else, and with --json, one JSON object: sections, what is missing, amendments, archive.

Example:
  $ askgate brief show --json | jq -r .sections.goal`;

export const BRIEF_PROMPT = `
The sections that have text, then what people wrote since (.askgate/amendments.md), quoted under a heading of its own. The
log of questions and answers is never in it. Exit 2 where a section is missing.

Example:
  $ { askgate brief prompt; echo "Carry out the plan in plan.md."; } | claude -p`;

export const BRIEF_NEW = `
Moves brief.md, amendments.md and qa.md into .askgate/archive/<time>/ and says what it moved. Nothing there: exit 0, too.

Example:
  $ askgate brief new`;

export const RECORD = `
Everything that was asked: each decision with the options that were considered and rejected, who decided, when, where, what
was taken by default; versions of the plan with reviews and comments; questions, permissions, messages. To commit beside the
code. Without a session: this project's current one, else its last.

Examples:
  $ askgate record --out docs/decisions/login.md
  $ askgate record s_4k2m9x --format json | jq '.rounds[].decisions[]? | {question, answer, by}'

  { "version": 1, "session": "s_4k2m9x", "name": null, "title": "Login PRD", "origin": { "repo": "…", "branch": "…",
      "agent": "…", "host": "…" }, "places": [ { "surface": "slack", "label": "#plans" } ],
    "startedAt": "2026-12-01T10:00:00Z", "endedAt": null, "ended": null,
    "rounds": [
      { "kind": "clarity", "round": "r_4k2m9x-1", "title": "…", "status": "submitted", "askedAt": "…", "settledAt": "…",
        "elsewhere": false, "wentOnAt": null, "by": "Ana", "byId": "slack:T1/U7", "where": "slack", "reason": null,
        "subtitle": null, "context": "…", "decisions": [
          { "decisionId": "auth", "number": 1, "question": "…", "recommendationReason": "…", "revealedBy": null,
            "options": [ { "optionId": "link", "label": "…", "description": null, "reason": null, "recommended": true,
              "chosen": true } ], "answer": "…", "custom": false, "status": "answered", "by": "Ana", … } ], "dropped": [] },
      { "kind": "plan", …, "version": 1, "plan": "# …", "decision": "revise", "reviews": [ { "by": "Ben", …,
          "decision": "revise", "at": "…" } ], "annotations": [ { "id": "a1", "block": 3, "quote": "…", "text": "…", … } ],
        "feedback": [ { "text": "…", "by": "Ben", … } ] },
      { "kind": "ask", …, "options": ["…"], "optionIds": [], "answer": "…", "option": 1, "detail": null },
      { "kind": "permission", …, "command": "…", "decision": "deny", "detail": null } ],
    "messages": [ { "text": "…", "by": "Ana", …, "at": "…", "files": [], "deliveredAt": "…" } ],
    "notes": [ { "text": "…", "at": "…" } ] }`;
