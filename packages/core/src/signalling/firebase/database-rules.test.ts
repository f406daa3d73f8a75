import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { RulesDatabase, type Sent } from "../../testing/firebase/rules-database.ts";

const source = readFileSync(
  new URL("../../../../../deploy/firebase/database.rules.json", import.meta.url),
  "utf8",
);
const tag = "t".repeat(43);
const open = `rooms/${tag}/open`;
const locked = `rooms/${tag}/locked`;
const now = { ".sv": "timestamp" };
const idOf = (uid: string) => `00000000-0000-4000-8000-00000000000${uid}`;
const visit = idOf("f");
const minutes = 60_000;

let database: RulesDatabase;

/** Writes below a room as an account. */
const write = (uid: string | null, room: string, changes: Record<string, Sent>) =>
  database.write(
    uid === null ? null : { uid },
    Object.fromEntries(Object.entries(changes).map(([path, value]) => [`${room}/${path}`, value])),
  );
const reads = (uid: string | null, path: string) => database.mayRead(uid === null ? null : { uid }, path);
const member = (uid: string, seat: string) => ({ id: idOf(uid), order: now, seat, visit });
const entry = (uid: string, seat: string) => ({
  [`seats/${seat}`]: { uid, at: now },
  [`members/${uid}`]: member(uid, seat),
});
const enter = (uid: string, seat: string, room = open) => write(uid, room, entry(uid, seat));
const leave = (uid: string, seat: string, room = open, by = uid) =>
  write(by, room, { [`seats/${seat}`]: null, [`members/${uid}`]: null, [`inboxes/${uid}`]: null });
const knock = (uid: string) => write(uid, locked, { [`door/${uid}`]: { id: idOf(uid), at: now } });
const claim = (by: string, uid: string, outcome?: string) =>
  write(by, locked, {
    [`door/${uid}/greeter`]: by,
    [`door/${uid}/greeterId`]: idOf(by),
    ...(outcome !== undefined && { [`door/${uid}/outcome`]: outcome }),
  });
const post = (by: string, to: string, room = open, letter: Sent = { uid: by, signal: "{}" }) =>
  write(by, room, { [`inboxes/${to}/-N${Math.random().toString(36).slice(2)}`]: letter });

beforeEach(() => {
  database = new RulesDatabase(source);
});

describe("the rules of the database", () => {
  it("require an account, and do not open the rest of the database", () => {
    expect(write(null, open, entry("a", "0"))).toBe(false);
    expect(reads(null, `${open}/seats`)).toBe(false);
    for (const path of ["", "rooms", `rooms/${tag}`, open, `${open}/inboxes`, "elsewhere"]) {
      expect(reads("a", path)).toBe(false);
      expect(database.write({ uid: "a" }, { [path]: "mine" })).toBe(false);
    }
    expect(database.peek()).toBeNull();
  });

  it.each([
    ["a seat and its member", entry("a", "0"), true],
    ["the last seat", entry("a", "31"), true],
    ["a 33rd seat", entry("a", "32"), false],
    ["a seat of another spelling", entry("a", "01"), false],
    ["a seat without a member", { "seats/0": { uid: "a", at: now } }, false],
    ["a member without a seat", { "members/a": member("a", "0") }, false],
    ["a second seat", { ...entry("a", "0"), "seats/1": { uid: "a", at: now } }, false],
    ["a seat for another account", { ...entry("b", "0") }, false],
    ["another time", { ...entry("a", "0"), "seats/0": { uid: "a", at: 1 } }, false],
    ["another order", { ...entry("a", "0"), "members/a": { ...member("a", "0"), order: 1 } }, false],
    ["no client id", { ...entry("a", "0"), "members/a": { ...member("a", "0"), id: "ann" } }, false],
    ["an invalid visit", { ...entry("a", "0"), "members/a": { ...member("a", "0"), visit: "x" } }, false],
    ["further data", { ...entry("a", "0"), "members/a/picture": "x".repeat(1_000_000) }, false],
    ["further data at the seat", { ...entry("a", "0"), "seats/0/note": "x" }, false],
    ["a third kind of room", null, false],
  ])("on joining an open room: %s", (_what, changes, isAllowed) => {
    const room = changes === null ? `rooms/${tag}/other` : open;
    expect(write("a", room, changes ?? entry("a", "0"))).toBe(isAllowed);
  });

  it("accept only tags as names of rooms", () => {
    expect(write("a", "rooms/short/open", entry("a", "0"))).toBe(false);
    expect(write("a", `rooms/${tag}x/open`, entry("a", "0"))).toBe(false);
  });

  it("do not let an account take, renew, change or remove the seat of another", () => {
    enter("a", "0");
    expect(enter("b", "0")).toBe(false);
    expect(write("b", open, { "seats/0/at": now })).toBe(false);
    expect(leave("a", "0", open, "b")).toBe(false);
    expect(write("b", open, { "members/a": null })).toBe(false);
    expect(write("b", open, { "members/a/id": idOf("b") })).toBe(false);
    expect(enter("b", "1")).toBe(true);
    expect(write("a", open, { "seats/0": { uid: "a", at: now } })).toBe(true);
    expect(leave("a", "0")).toBe(true);
    expect(enter("b", "0")).toBe(false); // it would hold two
  });

  it("keep the order of a member that returns to its seat", () => {
    enter("a", "0");
    const { order } = database.peek(`${open}/members/a`) as { order: number };
    const again = { ...entry("a", "0"), "members/a": { ...member("a", "0"), order } };
    expect(write("a", open, again)).toBe(true);
    expect(write("a", open, { "members/a/order": order - 1 })).toBe(false);
    expect(write("a", open, { "members/a/seat": "1" })).toBe(false);
    expect(write("a", open, { "members/a/seat": null })).toBe(false);
  });

  it("let anybody remove a seat that was not renewed for three minutes, and no other", () => {
    enter("a", "0");
    post("a", "a");
    database.aheadMs = 2 * minutes;
    expect(leave("a", "0", open, "b")).toBe(false);
    database.aheadMs = 4 * minutes;
    expect(write("b", open, { "members/a": null })).toBe(false); // only after its seat, or together with it
    expect(leave("a", "0", open, "b")).toBe(true);
    expect(database.peek()).toBeNull();
  });

  it("keep a room open or locked while anybody is in it", () => {
    enter("a", "0");
    expect(enter("b", "1", locked)).toBe(false);
    leave("a", "0");
    expect(enter("b", "1", locked)).toBe(true);
    expect(enter("a", "0")).toBe(false);
    leave("b", "1", locked);
    expect(
      database.write(
        { uid: "a" },
        Object.fromEntries(
          [open, locked].flatMap((room) =>
            Object.entries(entry("a", "0")).map(([path, value]) => [`${room}/${path}`, value]),
          ),
        ),
      ),
    ).toBe(false);
  });

  it("admit to a locked room only the first member and clients that a member admitted", () => {
    expect(enter("a", "0", locked)).toBe(true);
    expect(enter("b", "1", locked)).toBe(false);
    expect(knock("b")).toBe(true);
    expect(enter("b", "1", locked)).toBe(false);
    // A newcomer can admit neither itself nor another.
    expect(write("b", locked, { "door/b/outcome": "admitted" })).toBe(false);
    expect(claim("b", "b", "admitted")).toBe(false);
    knock("c");
    expect(claim("c", "b", "admitted")).toBe(false);
    expect(claim("a", "b", "welcome")).toBe(false);
    expect(write("a", locked, { "door/b/id": idOf("c") })).toBe(false);
    expect(claim("a", "b", "admitted")).toBe(true);
    expect(write("b", locked, { ...entry("b", "1"), "door/b": null })).toBe(true);
    // After leaving, it has to wait for admission again.
    leave("b", "1", locked);
    expect(enter("b", "1", locked)).toBe(false);
  });

  it("reserve a newcomer for the member that greets it, while that one is present", () => {
    enter("a", "0", locked);
    knock("b");
    claim("a", "b", "admitted");
    enter("b", "1", locked);
    knock("c");
    expect(claim("b", "c")).toBe(true);
    expect(claim("a", "c")).toBe(false);
    expect(claim("b", "c", "asking")).toBe(true);
    leave("b", "1", locked);
    expect(claim("a", "c")).toBe(true);
    expect(write("a", locked, { "door/c": null })).toBe(false);
    expect(write("c", locked, { "door/c": null })).toBe(true);
    knock("c");
    database.aheadMs = 3 * minutes;
    expect(write("d", locked, { "door/c": null })).toBe(false);
    expect(write("a", locked, { "door/c": null })).toBe(true);
  });

  it("show members and newcomers of a locked room only to members; a newcomer sees only itself", () => {
    enter("a", "0", locked);
    knock("b");
    expect(reads("b", `${locked}/seats`)).toBe(true);
    expect(reads("b", `${locked}/members`)).toBe(false);
    expect(reads("b", `${locked}/members/a`)).toBe(false);
    expect(reads("b", `${locked}/door`)).toBe(false);
    expect(reads("b", `${locked}/door/b`)).toBe(true);
    expect(reads("a", `${locked}/members`)).toBe(true);
    expect(reads("a", `${locked}/door`)).toBe(true);
    expect(reads("b", `${open}/members`)).toBe(true);
  });

  it("carry signals between members, and between a newcomer and its greeter, under the sender's account", () => {
    enter("a", "0", locked);
    knock("b");
    expect(post("b", "a", locked)).toBe(false);
    expect(post("a", "b", locked)).toBe(true);
    claim("a", "b");
    expect(post("b", "a", locked)).toBe(true);
    knock("c");
    expect(post("b", "c", locked)).toBe(false);
    expect(post("d", "a", locked)).toBe(false);
    expect(post("a", "d", locked)).toBe(false);
    expect(post("a", "b", locked, { uid: "b", signal: "{}" })).toBe(false);
    expect(post("a", "b", locked, { uid: "a", signal: "x".repeat(45_001) })).toBe(false);
    expect(post("a", "b", locked, { uid: "a", signal: { deep: "x" } })).toBe(false);
    expect(post("a", "b", locked, { uid: "a", signal: "{}", more: "x" })).toBe(false);
    expect(post("a", "b", locked, { uid: "a" })).toBe(false);
  });

  it("let only the owner read and empty an inbox, and others empty it once the owner is gone", () => {
    enter("a", "0");
    enter("b", "1");
    post("a", "b");
    const [letter] = Object.keys(database.peek(`${open}/inboxes/b`) ?? {});
    expect(reads("b", `${open}/inboxes/b`)).toBe(true);
    expect(reads("a", `${open}/inboxes/b`)).toBe(false);
    expect(write("a", open, { [`inboxes/b/${letter}/signal`]: "changed" })).toBe(false);
    expect(write("a", open, { [`inboxes/b/${letter}`]: null })).toBe(false);
    expect(write("a", open, { "inboxes/b": null })).toBe(false);
    expect(write("b", open, { [`inboxes/b/${letter}`]: null })).toBe(true);
    post("a", "b");
    write("b", open, { "seats/1": null, "members/b": null });
    expect(write("a", open, { "inboxes/b": null })).toBe(true);
  });
});
