/** `crypto.subtle`. The types always declare it, but pages without a secure context (http in a local network) lack it. */
export function platformCrypto(): SubtleCrypto | undefined {
  return crypto.subtle;
}

/** The same algorithms in JavaScript. Rejects if it cannot be fetched; the next call tries again. */
export const loadPortableCrypto = () => import("./portable-crypto.ts");
