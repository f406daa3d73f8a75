import address from "@warren/core/zstd.wasm?url";
import { WarrenError } from "@warren/protocol";

/**
 * Loads the zstd library, a file of this app. Without its code the page's policy would not allow compiling
 * it. @throws WarrenError `http-error` if the server has no such file.
 */
export async function loadZstd(): Promise<WebAssembly.Module> {
  const response = await fetch(address);
  if (!response.ok) throw new WarrenError("http-error", { code: response.status });
  // Not `compileStreaming`: that requires a media type which not every server sends.
  return WebAssembly.compile(await response.arrayBuffer());
}
