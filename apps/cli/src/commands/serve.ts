import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The built app: inside the package, or beside it in the repository. */
const apps = ["./web", "../../web/dist"].map((path) => fileURLToPath(new URL(path, import.meta.url)));

/** `warren serve`: the server in this process, which it ends when it is stopped. */
export async function serve(): Promise<never> {
  const app = apps.find((path) => existsSync(path));
  if (app !== undefined) process.env.WEB_ROOT ??= app;
  // An entry of the build of its own, since it starts as soon as it is imported.
  await import(new URL("./server.js", import.meta.url).href);
  return new Promise(() => {});
}
