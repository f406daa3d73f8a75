import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";

const types: Readonly<Record<string, string>> = {
  "/": "text/html",
  "/page.mjs": "text/javascript",
  "/worker.mjs": "text/javascript",
};

/** Serves the page of the bare connection. */
export async function serveRaw(): Promise<{ readonly url: string; readonly close: () => void }> {
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    const type = types[path];
    if (type === undefined) {
      response.writeHead(404).end();
      return;
    }
    const file = new URL(`../raw${path === "/" ? "/index.html" : path}`, import.meta.url);
    readFile(file).then(
      (body) => response.writeHead(200, { "Content-Type": type }).end(body),
      () => response.writeHead(500).end(),
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { url: `http://127.0.0.1:${address.port}/`, close: () => server.close() };
}
