import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CommandError } from "../terminal/exit-code.ts";

/** The built server and app: inside the package, or beside it in the repository. */
const places = [
  { server: "./server/main.js", web: "./web" },
  { server: "../../server/dist/main.js", web: "../../web/dist" },
];

/** `warren serve`: the server in this process, until it is stopped. */
export async function serve(): Promise<never> {
  const at = (path: string) => new URL(path, import.meta.url);
  const place = places.find(({ server }) => existsSync(at(server)));
  if (!place) throw new CommandError("The server is not built: run npm run build.");
  process.env.WEB_ROOT ??= fileURLToPath(at(place.web));
  await import(at(place.server).href);
  return new Promise(() => {}); // the server ends the process
}
