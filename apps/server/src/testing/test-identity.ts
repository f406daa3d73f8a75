import { type ClientFrame, type ClientId, protocolVersion } from "@warren/protocol";
import { clientIdOf, helloProofInput } from "@warren/protocol/key-proof";

type Hello = Extract<ClientFrame, { type: "hello" }>;

const { subtle } = globalThis.crypto;
const algorithm = { name: "ECDSA", namedCurve: "P-256" };

/** A client with a key. */
export interface TestIdentity {
  readonly clientId: ClientId;
  /** The `hello` that answers a challenge; `as` is another id to claim. */
  readonly answer: (nonce: string, server: string, as?: ClientId) => Promise<Hello>;
}

/** Creates a key and the id derived from it. */
export async function createTestIdentity(): Promise<TestIdentity> {
  const { publicKey, privateKey } = await subtle.generateKey(algorithm, false, ["sign"]);
  const spki = Buffer.from(await subtle.exportKey("spki", publicKey));
  const clientId = clientIdOf(spki);
  return {
    clientId,
    async answer(nonce, server, as = clientId) {
      const signed = Uint8Array.from(helloProofInput(Buffer.from(nonce, "base64url"), as, server));
      const signature = await subtle.sign({ name: "ECDSA", hash: "SHA-256" }, privateKey, signed);
      return {
        type: "hello",
        version: protocolVersion,
        clientId: as,
        server,
        publicKey: spki.toString("base64url"),
        proof: Buffer.from(signature).toString("base64url"),
      };
    },
  };
}

/** The `hello` of a client without a key. */
export function keylessHello(clientId: ClientId, server: string): Hello {
  return { type: "hello", version: protocolVersion, clientId, server, publicKey: "", proof: "" };
}
