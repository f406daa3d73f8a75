/**
 * Work that has not ended yet and that no fake clock sees, such as WebCrypto's, reading a file or compressing, which have threads
 * of their own: on a busy machine all the time of a test could pass before a key is derived.
 */
let count = 0;

/** Whether work is in progress that no clock of a test knows of. */
export function isWorkUnderWay(): boolean {
  return count > 0;
}

/** Lets no fake clock go on before this settles, which it has to do by itself. */
export async function underWay<T>(work: Promise<T>): Promise<T> {
  count++;
  try {
    return await work;
  } finally {
    count--;
  }
}

function counting(method: (...args: unknown[]) => Promise<unknown>) {
  return function (this: unknown, ...args: unknown[]): Promise<unknown> {
    return underWay(method.apply(this, args));
  };
}

function countAll(of: object, names: readonly string[]): void {
  for (const name of names) Reflect.set(of, name, counting(Reflect.get(of, name)));
}

countAll(Object.getPrototypeOf(crypto.subtle), [
  "decrypt",
  "deriveBits",
  "digest",
  "encrypt",
  "exportKey",
  "generateKey",
  "importKey",
  "sign",
  "verify",
]);

countAll(Blob.prototype, ["arrayBuffer", "bytes", "text"]);

/** Streams that go on by themselves; one that a test feeds may wait for the clock. */
const independent = new WeakSet<ReadableStream>();

const streamOf = Blob.prototype.stream;
Blob.prototype.stream = function () {
  const stream = streamOf.call(this);
  independent.add(stream);
  return stream;
};

for (const { prototype } of [CompressionStream, DecompressionStream]) {
  const readable = Object.getOwnPropertyDescriptor(prototype, "readable");
  Object.defineProperty(prototype, "readable", {
    ...readable,
    get() {
      const stream: ReadableStream = readable?.get?.call(this);
      independent.add(stream);
      return stream;
    },
  });
}

const { getReader } = ReadableStream.prototype;
Reflect.set(ReadableStream.prototype, "getReader", function (this: ReadableStream, ...args: []) {
  const reader = getReader.apply(this, args);
  if (independent.has(this)) countAll(reader, ["read"]);
  return reader;
});
