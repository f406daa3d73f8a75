/**
 * What WebCrypto has been asked and has not answered yet. It works in threads of its own, which no fake clock sees: on a
 * busy machine all the time of a test could pass before a key is derived.
 */
let asked = 0;

/** Whether work is in progress that no clock of a test knows of. */
export function isWorkUnderWay(): boolean {
  return asked > 0;
}

function counting(method: (...args: unknown[]) => Promise<unknown>) {
  return async function (this: unknown, ...args: unknown[]): Promise<unknown> {
    asked++;
    try {
      return await method.apply(this, args);
    } finally {
      asked--;
    }
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
