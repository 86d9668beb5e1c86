import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formWords, renderForm } from "../../../src/adapters/slack/view.ts";
import type { Form } from "../../../src/core/effect.ts";
import { checkView } from "../../doubles/slack/blocks.ts";

const form: Form = {
  button: "v1:st:comment:r_1:0:b0-2",
  title: "Comment on the plan of the login",
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

describe("a form", () => {
  it("comes back with its button and where it was pressed", () => {
    const view = renderForm(form, "C1/17.5");
    expect(view).toMatchObject({ callback_id: form.button, private_metadata: "C1/17.5" });
    expect(checkView(view)).toEqual([]);
  });

  it("cuts what Slack would refuse, visibly", () => {
    const view = renderForm(form, "");
    expect(view.title.text).toBe("Comment on the plan of…");
    const [select] = view.blocks;
    expect(select?.element.type === "static_select" && select.element.options[1]?.text.text).toMatch(
      /^¶2 x+…$/,
    );
  });

  it("begins with the words given before", () => {
    const [, text] = renderForm(form, "").blocks;
    expect(text?.element).toMatchObject({ initial_value: "use *Redis*", multiline: true });
    expect(text?.optional).toBe(false);
  });

  it("is one that Slack takes, whatever stands in it", () => {
    const text = fc.string({ unit: "binary", maxLength: 60 });
    const long = fc.tuple(text, fc.integer({ min: 1, max: 80 })).map(([one, times]) => one.repeat(times));
    const field = fc.oneof(
      fc.record({ kind: fc.constant("text" as const), label: long, value: long, required: fc.boolean() }),
      fc.record({
        kind: fc.constant("select" as const),
        label: long,
        entries: fc
          .array(long, { minLength: 1, maxLength: 120 })
          .map((labels) => labels.map((label, index) => ({ value: `b${index}`, label }))),
      }),
    );
    fc.assert(
      fc.property(long, long, fc.array(field, { minLength: 1, maxLength: 3 }), (title, submit, fields) => {
        expect(checkView(renderForm({ button: "v1:st:own:r:0:d0", title, submit, fields }, "C1"))).toEqual(
          [],
        );
      }),
      { numRuns: 100 },
    );
  });
});

describe("what was filled in", () => {
  it("is the words and the entry", () => {
    const state = {
      f0: { entry: { type: "static_select", selected_option: { value: "b1" } } },
      f1: { words: { type: "plain_text_input", value: "use Redis" } },
    };
    expect(formWords(state)).toEqual({ words: "use Redis", values: ["b1"] });
  });

  it("is blank words where the field was left blank, and none where there is none", () => {
    expect(formWords({ f0: { words: { type: "plain_text_input", value: null } } })).toEqual({
      words: "",
      values: [],
    });
    expect(formWords({ f0: { entry: { selected_option: null } } })).toEqual({ words: null, values: [] });
    expect(formWords({})).toEqual({ words: null, values: [] });
  });
});
