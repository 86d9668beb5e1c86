import { describe, expect, it } from "vitest";
import { clockTime, parseDuration, parseMilliseconds } from "../../src/cli/duration.ts";

describe("a time", () => {
  it.each([
    ["30m", 1_800_000],
    ["1800s", 1_800_000],
    ["2h", 7_200_000],
    ["1h30m", 5_400_000],
    ["1.5h", 5_400_000],
    ["500ms", 500],
    ["3d", 259_200_000],
    ["0", 0],
    ["never", null],
    ["99999999d", null],
  ])("%s is %s ms", (text, ms) => {
    expect(parseDuration(text, "--timeout")).toBe(ms);
  });

  it.each(["30", "", "m", "-5m", "30 m", "5x", "1e3s", "Infinity"])("is not %j", (text) => {
    expect(() => parseDuration(text, "--timeout")).toThrow("--timeout wants a time such as 30m");
  });

  it.each([
    ["1.5", 1.5],
    ["0x500", 1280],
    ["1e12", 1e12],
    ["1e300", null],
  ])("in clarinator's milliseconds, %s is %s", (text, ms) => {
    expect(parseMilliseconds(text, "--timeout-ms")).toBe(ms);
  });

  it.each(["0", "-1", "Infinity", "NaN", "", " ", "30m"])("in milliseconds is not %j", (text) => {
    expect(() => parseMilliseconds(text, "--timeout-ms")).toThrow("--timeout-ms wants a positive number");
  });

  it("is told as hours, minutes and seconds", () => {
    expect(clockTime(72_400)).toBe("00:01:12");
    expect(clockTime(100 * 3_600_000)).toBe("100:00:00");
  });
});
