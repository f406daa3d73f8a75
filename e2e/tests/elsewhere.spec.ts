import { execFile } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { deliverText, openConversation } from "../support/conversation.ts";
import { expect, test } from "../support/fixtures.ts";
import { copyLink, expectOnline, expectWaiting, joinByLink } from "../support/room.ts";
import { findFreePort, startServer } from "../support/server.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const contentTypes: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".webmanifest": "application/manifest+json",
};

test.use({ serviceWorkers: "allow" });

test("below a path of a host and as static files elsewhere, pages meet by links and open offline", async ({
  newPerson,
}) => {
  const folder = await mkdtemp(join(tmpdir(), "warren-elsewhere-"));
  const port = await findFreePort();
  const signalling = `127.0.0.1:${port}`;
  await promisify(execFile)(
    process.execPath,
    ["node_modules/vite/bin/vite.js", "build", "apps/web", "--outDir", folder],
    {
      cwd: root,
      env: { ...process.env, BASE_PATH: "/warren/", VITE_SIGNALLING_URL: `ws://${signalling}/warren/ws` },
    },
  );
  // The configuration of docs/self-hosting.md for a host that answers unknown addresses with its own page.
  await copyFile(join(folder, "index.html"), join(folder, "404.html"));
  const host = await serveStatic(folder, await documentedHeaders(signalling));
  const server = await startServer({
    port,
    env: {
      WEB_ROOT: folder,
      ALLOWED_ORIGINS: `http://${signalling} ${host.origin}`,
      SERVER_NAMES: signalling,
    },
  });

  const ada = await newPerson({ name: "Ada", expectedErrors: /asked another host/ });
  await joinByLink(ada, `${server.url}/warren/r/harbour#tidal`);
  await expectWaiting(ada.page);
  await expect(ada.page).toHaveURL(`${server.url}/warren/r/harbour`);
  const link = await copyLink(ada);
  expect(link).toMatch(new RegExp(`^${server.url}/warren/r/harbour#tidal\\.`));

  const expectedErrors = /asked another host|404 \(Not Found\)|ERR_CONNECTION_REFUSED|fetching the script/;
  const bo = await newPerson({ name: "Bo", expectedErrors });
  await joinByLink(bo, link.replace(server.url, host.origin));
  await expectOnline(ada.page, "Bo");
  await expectOnline(bo.page, "Ada");
  await openConversation(ada.page, "Bo");
  await openConversation(bo.page, "Ada");
  await expect(bo.page).toHaveURL(new RegExp(`^${host.origin}/warren/client/[^/]+/chat$`));
  await deliverText(ada.page, bo.page, "From the server's own page");
  await deliverText(bo.page, ada.page, "From a page of files elsewhere");

  const scope = () => bo.page.evaluate(async () => (await navigator.serviceWorker.ready).scope);
  expect(await scope()).toBe(`${host.origin}/warren/`);
  await host.close();
  await bo.page.goto(`${host.origin}/warren/file`);
  await expect(bo.page.getByRole("heading", { name: "Files", exact: true })).toBeVisible();

  await Promise.all([ada, bo].map(({ context }) => context.close()));
  await server.stop();
  await rm(folder, { recursive: true });
});

/** The headers in docs/self-hosting.md for static hosts, with this signalling server. */
async function documentedHeaders(signalling: string): Promise<Readonly<Record<string, string>>> {
  const docs = await readFile(join(root, "docs/self-hosting.md"), "utf8");
  const [, block = ""] = /\n\/\*\n((?: {2}[\w-]+: .*\n)+)/.exec(docs) ?? [];
  const lines = block.replace("wss://signal.example.org", `ws://${signalling}`).trim().split("\n");
  return Object.fromEntries(lines.map((line) => line.trim().split(/: (.*)/, 2)));
}

/**
 * A host of static files below `/warren/`. It answers an unknown address with its own page, and redirects
 * from a page's file to its folder, as some hosts do.
 */
async function serveStatic(folder: string, headers: Readonly<Record<string, string>>) {
  const server: Server = createServer(async (request, response) => {
    const path = new URL(request.url ?? "/", "http://host").pathname;
    if (path === "/warren/index.html") {
      response.writeHead(308, { ...headers, Location: "/warren/" }).end();
      return;
    }
    const file = path === "/warren/" ? "index.html" : path.replace(/^\/warren\//, "");
    const [status, body] = await readFile(join(folder, file)).then(
      (content) => [200, content] as const,
      async () => [404, await readFile(join(folder, "404.html"))] as const,
    );
    const type = contentTypes[status === 404 ? ".html" : extname(file)] ?? "application/octet-stream";
    response.writeHead(status, { ...headers, "Content-Type": type }).end(body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
