import { sha256 } from "@noble/hashes/sha2.js";
import type { ClientId, FileId, MessageName } from "@warren/protocol";
import { encodeBase64url, lvCat } from "../handshake/crypto/encoding.ts";

/**
 * What shows a member that who asks for a file knows its id, which is random and stands in the entry of its author. The id of that
 * entry is no secret: the next entry and every reply name it. Nobody else can use the proof, and it does not tell the id to a member
 * who was not given the entry.
 */
export function fileProofOf(
  fid: FileId,
  original: MessageName,
  { asker, asked }: { readonly asker: ClientId; readonly asked: ClientId },
): string {
  return encodeBase64url(sha256(lvCat("find-file/1", original.client, original.id, fid, asker, asked)));
}
