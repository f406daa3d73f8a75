/** What happens around the page and affects connections. */
export type EnvironmentEvents = {
  /** The network is back or another one, the page is shown again, or the machine has woken. */
  wake: [];
  /** The page is closed or reloaded; no code runs in it afterwards. */
  gone: [];
};

/** The environment of the page. */
export interface Environment {
  /** Returns a function to unsubscribe. */
  on(event: keyof EnvironmentEvents, listener: () => void): () => void;
}
