import { vi } from "vitest";

/** What a browser returns instead of the pixels that were drawn. */
export type Reading = (drawn: Uint8ClampedArray<ArrayBuffer>) => Uint8ClampedArray<ArrayBuffer>;

/** Gives the page canvases that can be filled with rectangles, and are read as the test says. */
export function stubCanvas(read: Reading): void {
  const createElement = () => {
    const canvas = {
      width: 0,
      height: 0,
      getContext: () => new FakeContext(canvas, read),
      toDataURL: (type: string) => `data:${type};base64,AAAA`,
    };
    return canvas;
  };
  vi.stubGlobal("document", { createElement });
}

class FakeContext {
  fillStyle = "";
  readonly drawImage = () => {};
  readonly #canvas: { readonly width: number; readonly height: number };
  readonly #read: Reading;
  #pixels: Uint8ClampedArray<ArrayBuffer> | null = null;

  constructor(canvas: { readonly width: number; readonly height: number }, read: Reading) {
    this.#canvas = canvas;
    this.#read = read;
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    const [red = 0, green = 0, blue = 0] = this.fillStyle.match(/\d+/g)?.map(Number) ?? [];
    for (let row = y; row < y + height; row++)
      for (let column = x; column < Math.min(x + width, this.#canvas.width); column++)
        this.#all.set([red, green, blue, 255], 4 * (row * this.#canvas.width + column));
  }

  clearRect(): void {
    this.#all.fill(0);
  }

  getImageData(x: number, y: number, width: number, height: number) {
    const part = new Uint8ClampedArray(4 * width * height);
    for (let row = 0; row < height; row++) {
      const start = 4 * ((y + row) * this.#canvas.width + x);
      part.set(this.#all.subarray(start, start + 4 * width), 4 * row * width);
    }
    return { data: this.#read(part), width, height };
  }

  get #all(): Uint8ClampedArray<ArrayBuffer> {
    this.#pixels ??= new Uint8ClampedArray(4 * this.#canvas.width * this.#canvas.height);
    return this.#pixels;
  }
}
