import { expect, test } from "vitest";
import { SerialQueue } from "./serial-queue.ts";

test("work starts when the work before it has ended, even if that failed", async () => {
  const queue = new SerialQueue();
  const order: string[] = [];
  let endFirst = (): void => {};
  const first = new Promise<void>((resolve) => {
    endFirst = resolve;
  });
  const failing = queue.run(async () => {
    order.push("first begins");
    await first;
    order.push("first fails");
    throw new Error("first");
  });
  const second = queue.run(() => order.push("second"));
  const settled = queue.settled().then(() => order.push("settled"));

  await Promise.resolve();
  expect(order).toEqual(["first begins"]);
  endFirst();
  await expect(failing).rejects.toThrow("first");
  expect(await second).toBe(3);
  await settled;
  expect(order).toEqual(["first begins", "first fails", "second", "settled"]);
});
