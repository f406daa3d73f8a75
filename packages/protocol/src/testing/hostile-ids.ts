import { fileIdSchema } from "../ids.ts";
import { v } from "../schema.ts";

/** Valid ids of files that every plain object already has as keys, such as `toString` and `__proto__`. */
export function hostileFileIds(): string[] {
  return Object.getOwnPropertyNames(Object.prototype).filter((name) => v.is(fileIdSchema, name));
}
