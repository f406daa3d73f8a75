import type { Bytes, FileLayout } from "@warren/core";
import type { ErrorDescription } from "@warren/protocol";
import type { DescribedTree, TreeEntry } from "@warren/protocol/tree";

interface Call<Request, Reply> {
  readonly request: Request;
  readonly reply: Reply;
}

/** The calls from a page to the worker that stores its files and reads long manifests, and their results. */
interface FileCalls {
  /** Whether a worker can store files in this browser. */
  isSupported: Call<object, boolean>;
  /** The ids of all files, complete or not, and whether the bytes of each exist. */
  listFiles: Call<object, Map<string, boolean>>;
  has: Call<{ fid: string }, boolean>;
  readDigests: Call<{ fid: string }, Map<number, Bytes>>;
  readFile: Call<{ fid: string; layout: FileLayout }, Blob | null>;
  remove: Call<{ fid: string }, void>;
  openSink: Call<{ fid: string; layout: FileLayout }, number>;
  read: Call<{ sink: number; chunk: number }, Bytes | null>;
  write: Call<{ sink: number; chunk: number; bytes: Bytes; digest: Bytes }, void>;
  finish: Call<{ sink: number }, void>;
  close: Call<{ sink: number }, void>;
  readManifest: Call<{ manifest: string; description: DescribedTree }, readonly TreeEntry[]>;
}
export type FileCallName = keyof FileCalls;
export type FileRequest<Name extends FileCallName> = FileCalls[Name]["request"];
export type FileReply<Name extends FileCallName> = FileCalls[Name]["reply"];

/** A call on the wire. */
export interface FileCall<Name extends FileCallName = FileCallName> {
  readonly id: number;
  readonly name: Name;
  readonly request: FileRequest<Name>;
}

/** The reply to a call. */
export type FileAnswer =
  | { readonly id: number; readonly reply: FileReply<FileCallName> }
  | { readonly id: number; readonly error: ErrorDescription };
