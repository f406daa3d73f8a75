/** Where core tells what a person need not see. Never give it names, texts, keys or session descriptions. */
export interface Log {
  debug(message: string, details?: Readonly<Record<string, unknown>>): void;
  warn(message: string, details?: Readonly<Record<string, unknown>>): void;
}

/** A log that says nothing: the default, and what tests use. */
export const silentLog: Log = { debug: () => {}, warn: () => {} };
