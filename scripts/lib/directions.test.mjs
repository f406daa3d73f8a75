import { expect, test } from "vitest";
import { faultsOf } from "./directions.mjs";

const room = "packages/core/src/room/room.ts";
/** @type {readonly [file: string, code: string, reason: string | null][]} */
const cases = [
  [room, `import { a } from "../session/a.ts";`, null],
  [room, `import { a } from "./a.ts";`, null],
  [room, `import { a } from "../chat/a.ts";`, "room does not use chat"],
  [room, `import type {\n  A,\n  B,\n} from "../files/a.ts";`, "room does not use files"],
  [room, `const { a } = await import("../chat/a.ts");`, "room does not use chat"],
  [room, `import { a } from "../warren.ts";`, "no folder uses the files beside the folders"],
  [room, `import { a } from "../testing/a.ts";`, "only tests use testing"],
  [room, `import { a } from "../elsewhere/a.ts";`, "elsewhere is in no row of the table"],
  [room, `import { a } from "../../../../apps/web/src/a.ts";`, "it leaves its package"],
  [room, `import { a } from "@warren/web";`, "the tree does not use web"],
  [room, `import { a } from "@warren/protocol";`, null],
  ["packages/core/src/room/room.test.ts", `import { a } from "../chat/a.ts";`, null],
  ["packages/core/src/warren.ts", `import { a } from "./chat/a.ts";`, null],
  ["packages/core/src/warren.ts", `import { a } from "./testing/a.ts";`, "only tests use testing"],
  ["apps/server/src/server.ts", `import { a } from "@warren/core";`, "the tree does not use core"],
  ["apps/web/src/main.tsx", `import "./styles/index.css";\nimport { a } from "./app/a.tsx";`, null],
  ["apps/web/src/ui/a.ts", `import { type A } from "../chat/a.ts";`, "ui does not use chat"],
  [
    "apps/web/src/chat/message/a.ts",
    `import { a } from "../log/a.ts";`,
    "chat/message does not use chat/log",
  ],
  ["apps/web/src/chat/message/a.ts", `import { a } from "../a.ts";`, "chat/message does not use chat"],
  ["apps/web/src/chat/log/a.ts", `import { a } from "../message/a.ts";`, null],
  ["apps/web/src/chat/a.ts", `import { a } from "./log/a.ts";`, null],
  ["apps/web/src/ui/fields/a.ts", `import { a } from "../a.ts";`, null],
];

test.each(cases)("%s with %s", (file, code, reason) => {
  const faults = faultsOf(file, code);
  expect(faults.map((fault) => fault.split(": ").at(-1))).toEqual(reason === null ? [] : [reason]);
});
