import { describe, expect, it } from "vitest";
import { Emitter } from "./emitter.ts";

describe("emitter", () => {
  it("calls each listener for its own event only, until it unsubscribes", () => {
    const events = new Emitter<{ joined: [name: string]; left: [] }>();
    const received: string[] = [];
    const stop = events.on("joined", (name) => received.push(name));
    events.on("left", () => received.push("left"));
    events.emit("joined", "Mara");
    stop();
    events.emit("joined", "Jun");
    events.emit("left");
    expect(received).toEqual(["Mara", "left"]);
  });

  it("lets a listener unsubscribe itself while it is called", () => {
    const events = new Emitter<{ tick: [] }>();
    let first = 0;
    let second = 0;
    const stop = events.on("tick", () => {
      first++;
      stop();
    });
    events.on("tick", () => second++);
    events.emit("tick");
    events.emit("tick");
    expect([first, second]).toEqual([1, 2]);
  });
});
