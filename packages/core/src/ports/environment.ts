/** Events of the environment that affect connections. */
export interface Environment {
  /**
   * Calls back when the network is back, the page is shown again, or the machine wakes. Returns a function to
   * unsubscribe.
   */
  onWake(callback: () => void): () => void;
  /**
   * Calls back when the page is closed or reloaded; no code runs in it afterwards. Returns a function to unsubscribe.
   */
  onGone(callback: () => void): () => void;
}
