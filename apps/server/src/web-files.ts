import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliDecompress, gunzip } from "node:zlib";

const contentTypes: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".jpg": "image/jpeg",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};

/** The content codings of files beside a file, the preferred one first, with the extension of each. */
const precompressed = [
  { encoding: "br", extension: ".br", decompress: promisify(brotliDecompress) },
  { encoding: "gzip", extension: ".gz", decompress: promisify(gunzip) },
] as const;

/** A file of the web app, ready to send. */
export interface WebFile {
  /** By content coding, the preferred one first; `identity`, the file itself, is always there. */
  readonly bodies: ReadonlyMap<string, Buffer>;
  readonly contentType: string;
  /** Weak, because it is one for all codings, which differ in their bytes. */
  readonly etag: string;
  /** Its name contains a hash of its content, so it never changes. */
  readonly isImmutable: boolean;
}

/** The web app by path, such as `/index.html`. */
export type WebFiles = ReadonlyMap<string, WebFile>;

/**
 * Reads the built web app into memory. Requests then touch no disk: no path can lead out of the folder, a rebuild
 * cannot mix two versions, and running out of file descriptors cannot fail a page.
 * @returns the files, none when the folder does not exist.
 */
export async function readWebFiles(root: string): Promise<WebFiles> {
  const files = new Map<string, WebFile>();
  await readFolder(root, "", files);
  return files;
}

/** The file for a request path; a path without an extension that names no file is a page of the app. */
export function findWebFile(files: WebFiles, path: string): WebFile | undefined {
  const isPage = extname(path) === "";
  return files.get(path) ?? (isPage ? files.get("/index.html") : undefined);
}

/** The base path of the built web app, read from its page's link to the manifest; undefined without a page. */
export function builtFor(files: WebFiles): string | undefined {
  const page = files.get("/index.html")?.bodies.get("identity")?.toString("utf8") ?? "";
  return /<link rel="manifest" href="([^"]*)manifest\.webmanifest"/.exec(page)?.[1];
}

async function readFolder(root: string, folder: string, files: Map<string, WebFile>): Promise<void> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  });
  const names = new Set(entries.map(({ name }) => name));
  const isBeside = (name: string) =>
    precompressed.some(
      ({ extension }) => name.endsWith(extension) && names.has(name.slice(0, -extension.length)),
    );
  for (const entry of entries) {
    const path = `${folder}/${entry.name}`;
    if (entry.name.startsWith(".") || isBeside(entry.name)) continue;
    if (entry.isDirectory()) await readFolder(root, path, files);
    else if (entry.isFile()) files.set(path, await readWebFile(join(root, path), path));
  }
}

async function readWebFile(location: string, path: string): Promise<WebFile> {
  const body = await readFile(location);
  const compressed = precompressed.map(async ({ encoding, extension, decompress }) => {
    const packed = await readFile(location + extension).catch(() => undefined);
    const unpacked =
      packed && (await decompress(packed, { maxOutputLength: body.length || 1 }).catch(() => undefined));
    // A file that was changed after the build has the old one's beside it.
    return packed && unpacked?.equals(body) ? ([[encoding, packed]] as const) : [];
  });
  return {
    bodies: new Map<string, Buffer>([...(await Promise.all(compressed)).flat(), ["identity", body]]),
    contentType: contentTypes[extname(path)] ?? "application/octet-stream",
    etag: `W/"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`,
    isImmutable: path.startsWith("/assets/"),
  };
}
