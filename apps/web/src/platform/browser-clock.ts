export { threadClock as browserClock } from "../workers/thread-clock.ts";
