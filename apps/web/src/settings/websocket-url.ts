import { optionTable } from "@warren/core";
import { parseUrl } from "../ui/parse-url.ts";

/**
 * What is wrong with the address of a signalling server, as the last part of a message key; null if nothing is.
 * @param pageProtocol `location.protocol`: from an https page browsers open no plain socket.
 */
export function signallingProblem(
  address: string,
  pageProtocol: string,
): "websocketInvalid" | "websocketInsecure" | null {
  const url = optionTable.websocketUrl.schema.safeParse(address).success ? parseUrl(address) : null;
  if (url === null) return "websocketInvalid";
  return pageProtocol === "https:" && url.protocol === "ws:" ? "websocketInsecure" : null;
}
