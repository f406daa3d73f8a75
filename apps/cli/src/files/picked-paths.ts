import { openAsBlob, type Stats } from "node:fs";
import { access, constants, lstat, readdir } from "node:fs/promises";
import { basename, extname, join, resolve } from "node:path";
import { composeTree, type FileReopener, type PickedFile, type PickedTree } from "@warren/core";
import { permissionBits, v } from "@warren/protocol";

/** Something that is not sent, and why. */
export interface LeftOut {
  readonly path: string;
  /** `link`: a symbolic link, which is not followed. `special`: a socket, a pipe or a device. */
  readonly reason: "link" | "unreadable" | "special";
}

/** What paths name: one file, or a tree of them; null if nothing of it can be sent. */
export interface Picked {
  readonly content: File | PickedTree | null;
  /** The permission bits of a single file, where the system has them. */
  readonly permissions?: number;
  readonly leftOut: readonly LeftOut[];
}

/** The types by which others recognise what they can show. */
const mimeTypes: Readonly<Record<string, string>> = {
  ".avif": "image/avif",
  ".csv": "text/csv",
  ".gif": "image/gif",
  ".heic": "image/heic",
  ".htm": "text/html",
  ".html": "text/html",
  ".jpeg": "image/jpeg",
  ".jpg": "image/jpeg",
  ".json": "application/json",
  ".md": "text/markdown",
  ".mp3": "audio/mpeg",
  ".mp4": "video/mp4",
  ".pdf": "application/pdf",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain",
  ".webm": "video/webm",
  ".webp": "image/webp",
  ".zip": "application/zip",
};

/** Picks the files that paths name, without reading them. @throws the error of the file system for a path that is not there */
export async function pickPaths(paths: readonly string[]): Promise<Picked> {
  const found = new Walk();
  const tops = await Promise.all(paths.map(async (path) => ({ path, stats: await lstat(path) })));
  const [only] = tops;
  if (only && tops.length === 1 && !only.stats.isDirectory()) {
    await found.visit(only.path, nameOf(only.path), only.stats);
    const [file] = found.files;
    return { content: file?.file ?? null, ...permissionsIn(only.stats), leftOut: found.leftOut };
  }
  if (only && tops.length === 1) {
    await found.enter(only.path, "");
    return found.picked("folder", nameOf(only.path));
  }
  for (const { path, stats } of tops) await found.visit(path, nameOf(path), stats);
  return found.picked("files", basename(found.files[0]?.path ?? ""));
}

class Walk {
  readonly files: PickedFile[] = [];
  readonly leftOut: LeftOut[] = [];
  readonly #emptyFolders: string[] = [];

  picked(kind: PickedTree["kind"], name: string): Picked {
    const { files, leftOut } = this;
    const isEmpty = kind === "files" && files.length + this.#emptyFolders.length === 0;
    return { content: isEmpty ? null : { kind, name, files, emptyFolders: this.#emptyFolders }, leftOut };
  }

  async visit(path: string, shown: string, stats: Stats): Promise<void> {
    if (stats.isSymbolicLink()) this.leftOut.push({ path, reason: "link" });
    else if (stats.isDirectory()) await this.enter(path, shown);
    else if (!stats.isFile()) this.leftOut.push({ path, reason: "special" });
    else if (!(await isReadable(path))) this.leftOut.push({ path, reason: "unreadable" });
    else this.files.push({ path: shown, file: await fileAt(path, stats), ...permissionsIn(stats) });
  }

  async enter(path: string, shown: string): Promise<void> {
    const names = await readdir(path).catch(() => null);
    if (names === null) {
      this.leftOut.push({ path, reason: "unreadable" });
      return;
    }
    const before = this.files.length + this.#emptyFolders.length;
    for (const name of names.sort()) {
      const inner = join(path, name);
      const stats = await lstat(inner).catch(() => null);
      if (stats === null) this.leftOut.push({ path: inner, reason: "unreadable" });
      else await this.visit(inner, shown === "" ? name : `${shown}/${name}`, stats);
    }
    const isEmpty = this.files.length + this.#emptyFolders.length === before;
    if (isEmpty && shown !== "") this.#emptyFolders.push(shown);
  }
}

/** Windows has no such bits, and Node makes some up. */
function permissionsIn({ mode }: Stats): Pick<PickedFile, "permissions"> {
  return process.platform === "win32" ? {} : { permissions: mode & permissionBits };
}

function nameOf(path: string): string {
  return basename(resolve(path)) || "disk";
}

async function isReadable(path: string): Promise<boolean> {
  return access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
}

/** A file of the disk under another name if one is given. Reading it fails once it has changed. */
export async function fileAt(path: string, stats: Stats, name = nameOf(path)): Promise<File> {
  const type = mimeTypes[extname(name).toLowerCase()] ?? "";
  const blob = await openAsBlob(path, { type });
  return new File([blob], name, { type, lastModified: Math.trunc(stats.mtimeMs) });
}

const handleSchema = v.object({ paths: v.array(v.string()), name: v.optional(v.string()) });

/** Reopens what an earlier run of the same command offered, by its paths. */
export class PathReopener implements FileReopener {
  readonly #paths: readonly string[];
  readonly #name: string | undefined;

  /** @param name the name of the file, if its path has another one */
  constructor(paths: readonly string[], name?: string) {
    this.#paths = paths.map((path) => resolve(path));
    this.#name = name;
  }

  async handleOf(): Promise<unknown> {
    return { paths: this.#paths, ...(this.#name !== undefined && { name: this.#name }) };
  }

  async open(handle: unknown): Promise<File | null> {
    const parsed = v.safeParse(handleSchema, handle);
    if (!parsed.success) return null;
    const { paths, name } = parsed.output;
    try {
      if (name !== undefined && paths[0] !== undefined)
        return await fileAt(paths[0], await lstat(paths[0]), name);
      const { content } = await pickPaths(paths);
      return content === null || content instanceof File ? content : (await composeTree(content)).stream;
    } catch {
      return null; // moved or deleted
    }
  }
}
