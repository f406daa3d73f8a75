import type { Bytes, FileLayout } from "@warren/core";
import { type ErrorCode, fileIdSchema, isErrorCode, z } from "@warren/protocol";

interface Call<Request, Reply> {
  readonly request: Request;
  readonly reply: Reply;
}

/** What a page can ask of the worker that keeps its files, and what comes back. */
interface FileCalls {
  /** Whether this browser lets a worker keep files. */
  isSupported: Call<object, boolean>;
  /** The ids of all files, whole or not, and whether the bytes of each are there. */
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
}
export type FileCallName = keyof FileCalls;
export type FileRequest<Name extends FileCallName> = FileCalls[Name]["request"];
export type FileReply<Name extends FileCallName> = FileCalls[Name]["reply"];

const bytes = z.custom<Bytes>((value) => value instanceof Uint8Array);
const count = z.int().check(z.gte(0));
const layout = z.object({ fileSize: count, chunkSize: z.int().check(z.gte(1)), mimeType: z.string() });
const none = z.object({});
const ofFile = z.object({ fid: fileIdSchema });
const ofSink = z.object({ sink: count });

/** How each call is checked at the side it arrives at. */
export const fileCalls: {
  readonly [Name in FileCallName]: {
    readonly request: z.ZodMiniType<FileRequest<Name>>;
    readonly reply: z.ZodMiniType<FileReply<Name>>;
  };
} = {
  isSupported: { request: none, reply: z.boolean() },
  listFiles: { request: none, reply: z.map(z.string(), z.boolean()) },
  has: { request: ofFile, reply: z.boolean() },
  readDigests: { request: ofFile, reply: z.map(count, bytes) },
  readFile: { request: z.object({ fid: fileIdSchema, layout }), reply: z.nullable(z.instanceof(Blob)) },
  remove: { request: ofFile, reply: z.void() },
  openSink: { request: z.object({ fid: fileIdSchema, layout }), reply: count },
  read: { request: z.object({ sink: count, chunk: count }), reply: z.nullable(bytes) },
  write: { request: z.object({ sink: count, chunk: count, bytes, digest: bytes }), reply: z.void() },
  finish: { request: ofSink, reply: z.void() },
  close: { request: ofSink, reply: z.void() },
};

const id = z.int().check(z.gte(0));

/** A call on the wire. */
export const fileCallSchema = z.object({
  id,
  name: z.custom<FileCallName>((value) => typeof value === "string" && Object.hasOwn(fileCalls, value)),
  request: z.unknown(),
});

/** The answer to a call. */
export const fileAnswerSchema = z.union([
  z.object({
    id,
    error: z.object({
      code: z.custom<ErrorCode>((value) => typeof value === "string" && isErrorCode(value)),
      values: z.record(z.string(), z.union([z.string(), z.number()])),
    }),
  }),
  z.object({ id, reply: z.unknown() }),
]);
