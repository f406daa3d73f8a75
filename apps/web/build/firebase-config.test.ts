import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { errorTexts } from "@warren/protocol";
import { expect, it } from "vitest";
import { firebaseConfigOf } from "./firebase-config.ts";

const project = {
  VITE_BACKEND: "FIREBASE",
  VITE_FIREBASE_API_KEY: "key",
  VITE_FIREBASE_DATABASE_URL: "https://warren.europe-west1.firebasedatabase.app",
};

it("a build uses a Warren server unless it selects Firebase", () => {
  expect(firebaseConfigOf({})).toBeNull();
  expect(firebaseConfigOf({ ...project, VITE_BACKEND: "WEBSOCKET" })).toBeNull();
  expect(firebaseConfigOf(project)).toEqual({
    apiKey: "key",
    databaseUrl: "https://warren.europe-west1.firebasedatabase.app",
  });
});

it.each(["firebase", "websocket", "", "toString", "SUPABASE"])(
  "the backend %j is rejected",
  (VITE_BACKEND) => {
    expect(() => firebaseConfigOf({ ...project, VITE_BACKEND })).toThrow(/^invalid backend type$/);
    expect(errorTexts["invalid-backend-type"]).toBe("invalid backend type");
  },
);

it("a build with an unknown backend fails with that message", () => {
  const web = join(import.meta.dirname, "..");
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(web, "../../node_modules/vite/bin/vite.js"), "build", "--outDir", join(web, "never")],
    { cwd: web, env: { ...process.env, VITE_BACKEND: "SUPABASE" }, encoding: "utf8" },
  );
  expect(status).toBe(1);
  expect(stderr).toMatch(/^Error: invalid backend type$/m);
});

it.each([
  [{ VITE_FIREBASE_API_KEY: "" }, "VITE_FIREBASE_API_KEY is missing"],
  [{ VITE_FIREBASE_DATABASE_URL: undefined }, "VITE_FIREBASE_DATABASE_URL is missing"],
  [{ VITE_FIREBASE_DATABASE_URL: "warren" }, "is no address of a Realtime Database"],
  [{ VITE_FIREBASE_DATABASE_URL: "https://evil.example.org" }, "is no address of a Realtime Database"],
  [{ VITE_FIREBASE_DATABASE_URL: "http://warren.firebaseio.com" }, "is no address of a Realtime Database"],
  [
    { VITE_FIREBASE_DATABASE_URL: "https://warren.firebaseio.com/rooms" },
    "is no address of a Realtime Database",
  ],
  [{ VITE_FIREBASE_AUTH_EMULATOR_URL: "https://accounts.example.org" }, "is no http address of this machine"],
])("a Firebase build reports the problem of %j", (change, sentence) => {
  expect(() => firebaseConfigOf({ ...project, ...change })).toThrow(sentence);
});

it("a Firebase build can use emulators", () => {
  const local = {
    VITE_FIREBASE_DATABASE_URL: "http://127.0.0.1:9000/?ns=warren",
    VITE_FIREBASE_AUTH_EMULATOR_URL: "http://127.0.0.1:9099",
  };
  expect(firebaseConfigOf({ ...project, ...local })?.authEmulatorUrl).toBe("http://127.0.0.1:9099");
});
