import { expect, it } from "vitest";
import { createStore, untilState } from "./store.ts";

it("resolves with the first state that passes, and listens no longer", async () => {
  const store = createStore(0);
  let checks = 0;
  let isOver = false;
  const over = untilState(store, (count) => ++checks > 0 && count > 1).then(() => {
    isOver = true;
  });
  store.setState(1, true);
  await Promise.resolve();
  expect(isOver).toBe(false);
  store.setState(2, true);
  await over;
  const checksUntilThen = checks;
  store.setState(3, true);
  expect(checks).toBe(checksUntilThen);
});

it("resolves at once for a state that passes already", async () => {
  await untilState(createStore("ready"), (state) => state === "ready");
});
