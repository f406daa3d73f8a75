import type { Log } from "@warren/core";

/** Logs to the browser's console: users cannot act on these messages, and developers look there. */
export const consoleLog: Log = {
  // biome-ignore lint/suspicious/noConsole: the console is this log
  debug: (message, details = {}) => console.debug(message, details),
  // biome-ignore lint/suspicious/noConsole: the console is this log
  warn: (message, details = {}) => console.warn(message, details),
};
