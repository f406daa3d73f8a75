// Its published types lack the options.
declare module "negotiator" {
  import type { IncomingMessage } from "node:http";

  export default class Negotiator {
    constructor(request: Pick<IncomingMessage, "headers">);
    /** The accepted ones of the available encodings, the client's favourite first, ties by `preferred`. */
    encodings(available: string[], options: { readonly preferred: string[] }): string[];
  }
}
