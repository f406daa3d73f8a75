const held = new Set<object>();

/**
 * Keeps an object from being collected until a promise settles, and returns that promise. Chromium collects a stream with a
 * pending read if script refers to nothing but the promise of that read, which then never settles.
 */
export function holdUntil<T>(promise: Promise<T>, object: object): Promise<T> {
  // Not the object itself, which may be held for several promises at once.
  const hold = { object };
  held.add(hold);
  return promise.finally(() => held.delete(hold));
}
