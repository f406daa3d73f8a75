/** What happens around the app that connections care about. */
export interface Surroundings {
  /** Calls back when the network is back, the page is shown again, or the machine wakes. Returns the way to stop. */
  onWake(callback: () => void): () => void;
}
