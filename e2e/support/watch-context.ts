import type { BrowserContext } from "@playwright/test";

/** The callbacks of a watched context. */
export interface ContextWatcher {
  /** The only origin that its pages may contact, such as `http://127.0.0.1:8080`. */
  readonly origin: string;
  /** Receives every address requested over the network. */
  readonly onRequest: (address: string) => void;
  /** Receives forbidden behaviour of the app's pages. */
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
    if (!/^(?:http|ws)s?:$/.test(protocol)) return; // blob: and data: stay within the page
    onRequest(address);
    if (host !== new URL(origin).host) onComplaint(`asked another host: ${address}`);
  };

  // Some violations are only reported inside the page.
  await context.addInitScript((mark) => {
    addEventListener(
      "securitypolicyviolation",
      ({ effectiveDirective, blockedURI, sourceFile, lineNumber }) => {
        // biome-ignore lint/suspicious/noConsole: the console works in every page, also after a navigation
        console.error(mark, effectiveDirective, blockedURI, `${sourceFile}:${lineNumber}`);
      },
    );
  }, violationMark);
  context.on("console", (message) => {
    // Chromium only warns about unknown parts of a header.
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
