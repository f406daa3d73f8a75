/** Gives the same items, but always has the next one under way while the present one is worked on. */
export async function* readAhead<T>(items: AsyncIterator<T>): AsyncGenerator<T> {
  let next = items.next();
  for (;;) {
    const item = await next;
    if (item.done) return;
    next = items.next();
    // Told by the await above, unless the reader has left by then.
    next.catch(() => {});
    yield item.value;
  }
}
