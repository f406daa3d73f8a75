import { expect, test, vi } from "vitest";
import { consoleLog } from "./console-log.ts";

test("core's logs are written to the console with their level", () => {
  const debug = vi.spyOn(console, "debug").mockImplementation(() => {});
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  consoleLog.debug("could not announce the profile", { code: "no-session" });
  consoleLog.warn("could not join the room");
  expect(debug.mock.calls).toEqual([["could not announce the profile", { code: "no-session" }]]);
  expect(warn.mock.calls).toEqual([["could not join the room", {}]]);
});
