const kib = 1024;
const mib = 1024 * kib;

/** What a receiver reads of one client: this much at once, then so much a second, over all connections. */
export const messageRates = {
  frames: { burst: 200, perSecond: 50 },
  characters: { burst: 2 * mib, perSecond: 64 * kib },
} as const;

/** What a receiver queues of one connection until it may read it. More is a flood. */
export const messageQueueMax = { frames: 1_000, characters: 4 * mib } as const;

/**
 * What a sender lets be unread. Half of the queue, so that everything may arrive in one moment at a receiver that may read
 * nothing, and a few frames that cannot wait fit besides.
 */
export const unreadMax = { frames: 500, characters: 2 * mib } as const;
