import { ensureBuilt } from "../../../../scripts/lib/built.mjs";

/** Builds the program and the server that the tests run, unless they are up to date. */
export default async function build() {
  const code = await ensureBuilt(["@warren/server", "@warren/cli"]);
  if (code !== 0) throw new Error(`the build failed with exit code ${code}`);
}
