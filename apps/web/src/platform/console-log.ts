import type { Log } from "@warren/core";

/** The browser's console: nobody can act on what core logs, and whoever looks for a reason looks there. */
export const consoleLog: Log = {
  // biome-ignore lint/suspicious/noConsole: the console is this log
  debug: (message, details = {}) => console.debug(message, details),
  // biome-ignore lint/suspicious/noConsole: the console is this log
  warn: (message, details = {}) => console.warn(message, details),
};
