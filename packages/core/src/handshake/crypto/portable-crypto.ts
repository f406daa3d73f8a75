/**
 * Replaces `crypto.subtle` on pages without a secure context. Only they fetch it: it is the largest part of the handshake's
 * code, and slower than the platform.
 */
export { gcm } from "@noble/ciphers/aes.js";
export { p256 } from "@noble/curves/nist.js";
export { hmac } from "@noble/hashes/hmac.js";
export { sha1 } from "@noble/hashes/legacy.js";
export { pbkdf2Async } from "@noble/hashes/pbkdf2.js";
