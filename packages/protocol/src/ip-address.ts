import ipaddr from "ipaddr.js";

/** An IPv4 or IPv6 address. */
export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

const privateRanges: ReadonlySet<string> = new Set([
  "carrierGradeNat",
  "linkLocal",
  "loopback",
  "private",
  "uniqueLocal",
]);

/** Reads an address; one that is mapped to IPv6 becomes IPv4, and a zone is left out. Null for any other text. */
export function readIpAddress(text: string): IpAddress | null {
  const plain = text.replace(/%.*$/, "");
  // IPv4 in one to three numbers, octal or hexadecimal is valid to `parse`, and written by nobody honest.
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(plain) || ipaddr.IPv6.isValid(plain);
  return isAddress ? ipaddr.process(plain) : null;
}

/** Whether no address of the internet: loopback, private, link-local, or shared by the customers of a carrier. */
export function isPrivateAddress(address: IpAddress): boolean {
  return privateRanges.has(address.range());
}
