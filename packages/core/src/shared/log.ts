/** Diagnostics that a person need not see. Never log names, texts, keys or session descriptions. */
export interface Log {
  debug(message: string, details?: Readonly<Record<string, unknown>>): void;
  warn(message: string, details?: Readonly<Record<string, unknown>>): void;
}

/** A log that discards everything: the default, also in tests. */
export const silentLog: Log = { debug: () => {}, warn: () => {} };
