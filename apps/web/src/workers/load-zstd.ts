import address from "zstd.wasm?url";

/**
 * Loads the zstd library, a file of this app. Without its code the page's policy would not allow compiling
 * it.
 */
export async function loadZstd(): Promise<WebAssembly.Module> {
  const response = await fetch(address);
  if (!response.ok) throw new TypeError(`${address} is answered with ${response.status}`);
  // Not `compileStreaming`: that requires a media type which not every server sends.
  return WebAssembly.compile(await response.arrayBuffer());
}
