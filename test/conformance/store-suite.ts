/** What every store must do. Called once per store with a way to get a fresh place for one. */
import { afterEach, beforeEach, describe } from "vitest";
import { Bench, type StorePlace } from "./store-bench.ts";
import { listCases } from "./store-lists.ts";
import { recordCases } from "./store-records.ts";

export function storeSuite(name: string, makePlace: () => Promise<StorePlace>): void {
  describe(`${name} store`, () => {
    const bench = new Bench();

    beforeEach(async () => bench.start(await makePlace()));

    afterEach(() => bench.stop());

    recordCases(bench);
    listCases(bench);
  });
}
