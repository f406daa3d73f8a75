import { optionTable } from "@warren/core";

/**
 * What is wrong with the address of a signalling server, as the end of a key of words; null when nothing is.
 * @param pageProtocol `location.protocol`: from an https page browsers open no plain socket.
 */
export function signallingProblem(
  address: string,
  pageProtocol: string,
): "websocketInvalid" | "websocketInsecure" | null {
  if (!optionTable.websocketUrl.schema.safeParse(address).success || !URL.canParse(address))
    return "websocketInvalid";
  return pageProtocol === "https:" && new URL(address).protocol === "ws:" ? "websocketInsecure" : null;
}
