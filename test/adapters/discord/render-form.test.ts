import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Modal } from "../../../src/adapters/discord/kit.ts";
import { formWords, renderForm } from "../../../src/adapters/discord/view.ts";
import type { Form } from "../../../src/core/effect.ts";
import { checkModal } from "../../doubles/discord/components.ts";
import { seenIn } from "./reading.ts";

const form: Form = {
  button: "v1:st:comment:r_1:0:b0-2",
  title: "Comment on the plan of the login of the whole shop",
  submit: "Save",
  fields: [
    {
      kind: "select",
      label: "Which block?",
      entries: [
        { value: "b0", label: "¶1 # Login" },
        { value: "b1", label: `¶2 ${"x".repeat(100)}` },
      ],
    },
    { kind: "text", label: "Comment", value: "use *Redis*", required: true },
  ],
};

const LONG = "Which of the *two* ways to sign in do you want to offer first, and why?";

const complaints = (modal: Modal): unknown[] => checkModal(JSON.parse(JSON.stringify(modal)));

const question = (label: string): Form => ({
  ...form,
  fields: [{ kind: "text", label, value: "", required: false }],
});

describe("a form", () => {
  it("comes back with its button", () => {
    const modal = renderForm(form);
    expect(modal.custom_id).toBe(form.button);
    expect(complaints(modal)).toEqual([]);
  });

  it("cuts what Discord would refuse, visibly", () => {
    const { title, components } = renderForm(form);
    expect(title).toBe("Comment on the plan of the login of the whol…");
    const [select] = components;
    expect(select?.type === 18 && select.component.type === 3 && select.component.options[1]?.label).toMatch(
      /^¶2 x{96}…$/,
    );
  });

  it("begins with the words given before", () => {
    const [, text] = renderForm(form).components;
    expect(text).toMatchObject({
      label: "Comment",
      component: { type: 4, value: "use *Redis*", required: true },
    });
  });

  it("shows a long question whole, above its field", () => {
    const [above, field] = renderForm(question(LONG)).components;
    expect(above?.type === 10 && seenIn(above.content)).toEqual({ words: LONG, marks: [] });
    expect(field).toMatchObject({ type: 18, label: "Which of the *two* ways to sign in do you wa…" });
  });

  it("says more of long questions below them where there are many fields", () => {
    const fields = [1, 2, 3].map(() => ({ kind: "text" as const, label: LONG, value: "", required: false }));
    const modal = renderForm({ ...form, fields });
    expect(modal.components.map(({ type }) => type)).toEqual([18, 18, 18]);
    expect(modal.components[0]).toMatchObject({ description: LONG });
    expect(complaints(modal)).toEqual([]);
  });

  it("is one that Discord takes, whatever stands in it", () => {
    const text = fc.string({ unit: "binary", maxLength: 60 });
    const long = fc.tuple(text, fc.integer({ min: 1, max: 80 })).map(([one, times]) => one.repeat(times));
    const field = fc.oneof(
      fc.record({ kind: fc.constant("text" as const), label: long, value: long, required: fc.boolean() }),
      fc.record({
        kind: fc.constant("select" as const),
        label: long,
        entries: fc
          .array(long, { minLength: 1, maxLength: 25 })
          .map((labels) => labels.map((label, index) => ({ value: `b${index}`, label }))),
      }),
    );
    fc.assert(
      fc.property(long, long, fc.array(field, { minLength: 1, maxLength: 3 }), (title, submit, fields) => {
        const modal = renderForm({ button: "v1:st:own:r:0:d0", title, submit, fields });
        expect(complaints(modal)).toEqual([]);
        const shown = modal.components.flatMap((one) => (one.type === 10 ? one.content : [])).join("");
        expect(shown.length).toBeLessThanOrEqual(4_000);
      }),
      { numRuns: 200, endOnFailure: true },
    );
  });
});

describe("what was filled in", () => {
  it("is the words and the entry", () => {
    const components = [
      { type: 10, content: "Which block?" },
      { type: 18, component: { type: 3, custom_id: "f0", values: ["b1"] } },
      { type: 18, component: { type: 4, custom_id: "f1", value: "use Redis" } },
    ];
    expect(formWords(components)).toEqual({ words: "use Redis", values: ["b1"] });
  });

  it("is blank words where the field was left blank, and none where there is none", () => {
    expect(formWords([{ type: 18, component: { type: 4, custom_id: "f0", value: "" } }])).toEqual({
      words: "",
      values: [],
    });
    expect(formWords([{ type: 18, component: { type: 3, custom_id: "f0", values: [] } }])).toEqual({
      words: null,
      values: [],
    });
    expect(formWords([])).toEqual({ words: null, values: [] });
  });
});
