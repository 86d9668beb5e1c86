/** The skill: what an agent has to know to ask people well, as one file that agents read as it is. */

const NAME = "askgate";

/** Is a skill file ours, of whatever version? */
export const isSkill = (text: string): boolean => new RegExp(`^---\\nname: ${NAME}\\n`).test(text);

export const skill = (): string => TEXT;

const TEXT = `---
name: ${NAME}
description: Ask people in chat before you guess. Use it when a decision that changes the work is not yours, when a plan should be reviewed before it is carried out, when something needs leave, or when a brief has to be written.
---

# askgate: stop and ask

\`askgate\` blocks until people have answered, in Slack, Discord, the browser or the terminal, and prints one JSON result.

## When to ask

Ask when all three hold: the answer changes what you build; you cannot find it out by reading; a wrong guess costs more
than the wait. Scope, behaviour that users see, data that would be lost, money, security, a choice between designs.

Do not ask what the code, the docs or the history say: read. Not for praise or for leave to go on, not what is easily
changed later, not a second time what nobody answered. Where there is a usual way, take it and write the assumption down.

## How

Several decisions that belong together, with follow-ups:

    askgate clarity up <<'EOF'
    { "title": "Login", "context": "Email first, B2C. No accounts exist yet.", "decisions": [
      { "id": "auth", "question": "Which way to log in?", "recommendation_reason": "Least to build and to forget.",
        "options": [ { "id": "link", "label": "Magic link", "recommended": true },
                     { "id": "password", "label": "Password", "description": "Needs a reset flow.", "recommended": false } ] },
      { "id": "policy", "question": "Which password policy?", "recommendation_reason": "Most people cope with it.",
        "show_if": { "decision": "auth", "in": ["password"] },
        "options": [ { "id": "lenient", "label": "Lenient", "recommended": true },
                     { "id": "strict", "label": "Strict", "recommended": false } ] } ] }
    EOF

One question, a plan, leave for a command:

    askgate ask "Keep the old endpoint?" --option "Yes, until June" --option "No"
    jq -n --rawfile plan plan.md '{title: "Login", plan: $plan}' | askgate plan up
    askgate permission "Migrate production" --command "npm run migrate" && npm run migrate

The rest:

    askgate wait ROUND --timeout 8m     go on waiting; the round's id is on standard error
    askgate clarity continue < page.json   the next page of the same session
    askgate clarity down                the task is over; what is open is withdrawn
    askgate inbox                       what people wrote in the meantime: look after each step
    askgate say "Tests pass, docs next."   a note for those who read along
    askgate record SESSION              what was decided, by whom, and why
    askgate check FILE · askgate schema clarity   validate a payload; all fields

## A good payload

- One question, one answer; understandable on a phone, without the code at hand. Say what you found, not how you looked.
- Two to five options that exclude each other (\`"multi": true\` where they do not). Recommend one and say why.
- Put what a choice costs or rules out into the option's description.
- A question that only matters after a certain answer has \`show_if\` with it, below its parent.
- \`"allow_custom": true\` where people may know something better. Own words reveal no follow-up, whatever they say: when
  such an answer opens a question that you did not foresee, ask it with \`askgate clarity continue\`.
- Ids say what they are: \`auth-method\`, not \`q1\`.

## Results

Exit 0: \`"status": "submitted"\`. A plan that is to be changed is submitted too, with \`"decision": "revise"\`: work in
every comment, then show it again. 3: cancelled, skipped or denied. 4: nobody answered yet; wait again, or go on as the
\`advice\` says, write the question and your assumption under Unknowns and assumptions, and do not ask it again. 5: nobody
can be reached; standard error says what to do. 6: no questions are left. Never take silence for a yes.

## Clarify

When you are asked to find out what is wanted, or a tool is denied because there is no brief:

1. Read first: the task, the code, \`askgate inbox\`. Write no code and no plan.
2. Ask only what changes the work: one question at a time, with options, the most important first.
3. A question that nobody answered is not repeated: note what you assume.
4. Stop when all four sections stand, not when you run out of questions. Then freeze them:

       askgate brief check <<'EOF' … EOF      what is missing
       askgate brief freeze <<'EOF'
       ## Goal
       What must be true for whom when it is done.
       ## Acceptance criteria
       How anybody can tell that it is done.
       ## Boundaries
       What is left out, and how the work must not be done.
       ## Unknowns and assumptions
       What is still open, and what is assumed instead.
       EOF

\`askgate brief prompt\` prints the frozen brief for whoever does the work; questions and answers are not part of it.
With nobody there (a nightly run), \`askgate ask … --asks 0\` asks nobody and says so: take the advice, and freeze the
brief with your assumptions.
`;
