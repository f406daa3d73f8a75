// Memory is measured after this, so that what a server no longer uses does not count.
process.on("SIGUSR2", () => {
  globalThis.gc?.();
  globalThis.gc?.();
});
