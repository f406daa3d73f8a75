import { expect, it } from "vitest";
import { CodeMissing, loadAllOnDemand, onDemand } from "./on-demand.tsx";

it("loads all lazy code, including lazy code within it", async () => {
  const loaded: string[] = [];
  onDemand(async () => {
    loaded.push("page");
    onDemand(async () => {
      loaded.push("part of the page");
      onDemand(async () => loaded.push("part of the part"));
    });
  });
  const missing = onDemand(() => Promise.reject(new TypeError("no server")));
  await loadAllOnDemand();
  expect(loaded).toEqual(["page", "part of the page", "part of the part"]);
  await expect(missing.load()).rejects.toBeInstanceOf(CodeMissing);

  await loadAllOnDemand();
  expect(loaded).toHaveLength(3);
});
