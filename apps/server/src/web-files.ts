import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

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
const compressible = /^(?:text\/|application\/(?:json|manifest|wasm)|image\/svg)/;
const gzipAsync = promisify(gzip);

/** A file of the web app, ready to send. */
export interface WebFile {
  readonly body: Buffer;
  /** Present if smaller. */
  readonly gzipped: Buffer | undefined;
  readonly contentType: string;
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
  const page = files.get("/index.html")?.body.toString("utf8") ?? "";
  return /<link rel="manifest" href="([^"]*)manifest\.webmanifest"/.exec(page)?.[1];
}

async function readFolder(root: string, folder: string, files: Map<string, WebFile>): Promise<void> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  });
  for (const entry of entries) {
    const path = `${folder}/${entry.name}`;
    if (entry.name.startsWith(".")) continue;
    if (entry.isDirectory()) await readFolder(root, path, files);
    else if (entry.isFile()) files.set(path, await readWebFile(join(root, path), path));
  }
}

async function readWebFile(location: string, path: string): Promise<WebFile> {
  const body = await readFile(location);
  const contentType = contentTypes[extname(path)] ?? "application/octet-stream";
  const gzipped = compressible.test(contentType) ? await gzipAsync(body, { level: 9 }) : undefined;
  return {
    body,
    gzipped: gzipped && gzipped.length < body.length ? gzipped : undefined,
    contentType,
    etag: `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`,
    isImmutable: path.startsWith("/assets/"),
  };
}
