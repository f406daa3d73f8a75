import { optionTable } from "@warren/core";
import { v } from "@warren/protocol";
import { parseUrl } from "../ui/parse-url.ts";

/**
 * The problem with a signalling server's address, as the last part of a message key; null if there is none.
 * @param pageProtocol `location.protocol`: an https page cannot open a plain socket.
 */
export function signallingProblem(
  address: string,
  pageProtocol: string,
): "websocketInvalid" | "websocketInsecure" | null {
  const url = v.is(optionTable.websocketUrl.schema, address) ? parseUrl(address) : null;
  if (url === null) return "websocketInvalid";
  return pageProtocol === "https:" && url.protocol === "ws:" ? "websocketInsecure" : null;
}
