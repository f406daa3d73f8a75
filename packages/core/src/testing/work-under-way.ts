/**
 * Work that has not ended yet and that no fake clock sees, such as WebCrypto's, which has threads of its own: on a busy machine
 * all the time of a test could pass before a key is derived.
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

const prototype: object = Object.getPrototypeOf(crypto.subtle);
const methods = [
  "decrypt",
  "deriveBits",
  "digest",
  "encrypt",
  "exportKey",
  "generateKey",
  "importKey",
  "sign",
  "verify",
];
for (const name of methods) Reflect.set(prototype, name, counting(Reflect.get(prototype, name)));
