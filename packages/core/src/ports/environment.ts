/** What happens around the app that connections care about. */
export interface Environment {
  /** Calls back when the network is back, the page is shown again, or the machine wakes. Returns the way to stop. */
  onWake(callback: () => void): () => void;
  /** Calls back while the page goes for good, by closing or by a reload: nothing runs in it afterwards. Returns the way to stop. */
  onGone(callback: () => void): () => void;
}
