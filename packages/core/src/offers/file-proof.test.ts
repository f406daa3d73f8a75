import { readFile } from "node:fs/promises";
import { decodePeerMessage, type PeerMessageOf } from "@warren/protocol";
import { expect, it } from "vitest";
import { fileProofOf } from "./file-proof.ts";

const page = new URL("../../../../docs/protocol.md", import.meta.url);

/** The example of a message in docs/protocol.md. */
async function exampleOf<T extends "find-file" | "request-file">(type: T): Promise<PeerMessageOf<T>> {
  const lines = (await readFile(page, "utf8")).split("\n");
  const line = lines.findLast((each) => each.includes(`"type": "${type}"`) && each.includes('"original"'));
  const decoded = decodePeerMessage(line);
  return decoded.ok && decoded.value.type === type ? (decoded.value as PeerMessageOf<T>) : expect.fail();
}

it("is as in the example of the protocol, and another one for each who asks or is asked", async () => {
  const { original, proof, client: asker, target: asked } = await exampleOf("find-file");
  const { fid } = await exampleOf("request-file");
  expect(proof).toBe(fileProofOf(fid, original, { asker, asked }));
  expect(proof).not.toBe(fileProofOf(fid, original, { asker: asked, asked: asker }));
});
