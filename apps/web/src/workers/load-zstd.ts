import address from "zstd.wasm?url";

/** Loads the zstd library, which is a file of this app; a page without its code may not compile it. */
export async function loadZstd(): Promise<WebAssembly.Module> {
  const response = await fetch(address);
  if (!response.ok) throw new TypeError(`${address} is answered with ${response.status}`);
  // Not from the stream: that takes one media type alone, which not every server knows.
  return WebAssembly.compile(await response.arrayBuffer());
}
