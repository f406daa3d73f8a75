// Memory is measured after a collection, so that garbage does not count.
process.on("SIGUSR2", () => {
  globalThis.gc?.();
  globalThis.gc?.();
});
