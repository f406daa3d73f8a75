/** The subset of pngjs that the tests use; the package has no types. */
declare module "pngjs" {
  export class PNG {
    constructor(options: { readonly width: number; readonly height: number });
    readonly width: number;
    readonly height: number;
    /** RGBA, row by row. */
    readonly data: Buffer;
    static readonly sync: { read(png: Buffer): PNG; write(png: PNG): Buffer };
  }
}
