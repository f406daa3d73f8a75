import { expect, test } from "vitest";
import { translate } from "../../i18n/i18n.ts";
import { CodeMissing } from "../../ui/on-demand.tsx";
import { dialogFailure } from "./dialog-failure.ts";

test("a dialog whose code did not come says what to do, and one that broke shows no exception", () => {
  expect(dialogFailure(new CodeMissing(new TypeError("Failed to fetch")), translate)).toEqual({
    description: "This part could not be fetched. Check your network and try again.",
  });
  expect(dialogFailure(new Error("cache 7 not found"), translate)).toEqual({});
});
