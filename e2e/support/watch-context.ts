import type { BrowserContext } from "@playwright/test";

/** Who hears what happens in a context. */
export interface ContextWatcher {
  /** The only origin its pages may ask, such as `http://127.0.0.1:8080`. */
  readonly origin: string;
  /** Hears every address asked for over the network. */
  readonly onRequest: (address: string) => void;
  /** Hears what no page of the app may do. */
  readonly onComplaint: (complaint: string) => void;
}

const violationMark = "content security policy violated:";

/** Watches every page of a context, from before its first script until it closes. */
export async function watchContext(
  context: BrowserContext,
  { origin, onRequest, onComplaint }: ContextWatcher,
): Promise<void> {
  const ask = (address: string): void => {
    const { protocol, host } = new URL(address);
    if (!/^(?:http|ws)s?:$/.test(protocol)) return; // blob: and data: leave no page
    onRequest(address);
    if (host !== new URL(origin).host) onComplaint(`asked another host: ${address}`);
  };

  // The browser tells of some violations in the page alone.
  await context.addInitScript((mark) => {
    addEventListener(
      "securitypolicyviolation",
      ({ effectiveDirective, blockedURI, sourceFile, lineNumber }) => {
        // biome-ignore lint/suspicious/noConsole: the console is the way out of a page that every navigation leaves open
        console.error(mark, effectiveDirective, blockedURI, `${sourceFile}:${lineNumber}`);
      },
    );
  }, violationMark);
  context.on("console", (message) => {
    // Chromium only warns of what it does not understand in a header.
    const isAboutHeader = /Permissions-Policy header/.test(message.text());
    if (message.type() === "error" || isAboutHeader) onComplaint(`console: ${message.text()}`);
  });
  context.on("weberror", (webError) => {
    const error = webError.error();
    onComplaint(`uncaught: ${error.stack ?? error.message}`);
  });
  context.on("dialog", (dialog) => {
    onComplaint(`a browser dialog: ${dialog.type()} ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on("request", (request) => ask(request.url()));
  context.on("page", (page) => page.on("websocket", (socket) => ask(socket.url())));
}
