import { once } from "node:events";
import { createServer, request, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";

const host = "127.0.0.1";

/** What {@link startLogin} asks for. */
export const login = { username: "ada", password: "open sesame" };

/** A proxy in front of the server that asks for a name and a password, as docs/self-hosting.md sets it up: not at `/ws`. */
export async function startLogin(serverPort: number): Promise<Server> {
  const expected = `Basic ${btoa(`${login.username}:${login.password}`)}`;
  const proxy = createServer((asked, answer) => {
    if (asked.headers.authorization !== expected) {
      answer.writeHead(401, { "www-authenticate": 'Basic realm="Warren"' }).end();
      return;
    }
    const { method, url: path, headers } = asked;
    const forwarded = request({ host, port: serverPort, method, path, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    });
    forwarded.on("error", () => answer.destroy());
    asked.pipe(forwarded);
  });
  proxy.on("upgrade", ({ url, rawHeaders }, socket, head) => {
    const server = connect(serverPort, host);
    const lines = rawHeaders.map((part, index) => part + (index % 2 === 0 ? ": " : "\r\n"));
    server.write(`GET ${url} HTTP/1.1\r\n${lines.join("")}\r\n`);
    server.write(head);
    server.pipe(socket).pipe(server);
    for (const end of [server, socket]) end.on("error", () => [server, socket].map((each) => each.destroy()));
  });
  proxy.listen(0, host);
  await once(proxy, "listening");
  return proxy;
}

/** The address of a started server. */
export function addressOf(server: Server): string {
  return `http://${host}:${(server.address() as AddressInfo).port}`;
}
