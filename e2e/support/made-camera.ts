import { mkdir, open, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type LaunchOptions,
} from "@playwright/test";
import { PNG } from "pngjs";
import { launchOptions } from "./browser.ts";

/** The size of a camera's picture. */
export const pictureSize = [640, 480] as const;
const [width, height] = pictureSize;
const header = `YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`;
const frameMark = "FRAME\n";

/** How a code lies in the picture of a camera. */
export interface Pose {
  /** Edge of the code, as a fraction of the picture's height. */
  readonly size?: number;
  readonly degrees?: number;
  /** Darker ink and paper: 1 is black on white. */
  readonly contrast?: number;
  /** Covers a square in the middle, as a fraction of the code's edge. */
  readonly damage?: number;
}

/** A browser whose camera plays a picture that the test makes, and can replace while it plays. */
export class MadeCamera {
  readonly context: BrowserContext;
  readonly #file: string;

  private constructor(context: BrowserContext, file: string) {
    this.context = context;
    this.#file = file;
  }

  /** @param folder of the browser's profile and the video; if it exists, the browser knows what it stored there */
  static async launch(folder: string, options: LaunchOptions & BrowserContextOptions): Promise<MadeCamera> {
    await mkdir(folder, { recursive: true });
    const file = join(folder, "camera.y4m");
    await writeFile(file, Buffer.concat([Buffer.from(header + frameMark), grey(200)]));
    const args = (launchOptions.args ?? []).filter((arg) => !arg.startsWith("--use-fake-device"));
    const context = await chromium.launchPersistentContext(join(folder, "profile"), {
      ...launchOptions,
      args: [...args, "--use-fake-device-for-media-stream", `--use-file-for-fake-video-capture=${file}`],
      ...options,
    });
    return new MadeCamera(context, file);
  }

  /** Shows a code, given as a data URL of a PNG, in every picture from now on. */
  async show(code: string, pose: Pose = {}): Promise<void> {
    // The browser reads the one picture of the file again and again.
    const file = await open(this.#file, "r+");
    await file.write(pictureOfCode(code, pose), 0, undefined, header.length + frameMark.length);
    await file.close();
  }
}

/** The luminance of a camera's picture in which a code lies, given as a data URL of a PNG. */
export function pictureOfCode(code: string, pose: Pose = {}): Buffer {
  return placed(PNG.sync.read(Buffer.from(code.replace(/^.*?,/, ""), "base64")), pose);
}

function grey(luma: number): Buffer {
  const luminance = Buffer.alloc(width * height, luma);
  return Buffer.concat([luminance, Buffer.alloc((width * height) / 2, 128)]);
}

function placed(code: PNG, { size = 0.9, degrees = 0, contrast = 1, damage = 0 }: Pose): Buffer {
  const frame = grey(200);
  const edge = size * height;
  const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [dx, dy] = [x - width / 2, y - height / 2];
      const [u, v] = [(dx * cos + dy * sin) / edge, (dy * cos - dx * sin) / edge];
      if (Math.max(Math.abs(u), Math.abs(v)) > 0.55) continue;
      frame[y * width + x] = lumaAt(code, u, v, contrast, damage);
    }
  }
  return frame;
}

/** White around the code, as it is on the screen. */
function lumaAt(code: PNG, u: number, v: number, contrast: number, damage: number): number {
  const isCode = Math.max(Math.abs(u), Math.abs(v)) < 0.5;
  const isCovered = Math.max(Math.abs(u), Math.abs(v)) < damage / 2;
  const at = 4 * (Math.floor((v + 0.5) * code.height) * code.width + Math.floor((u + 0.5) * code.width));
  const luma = isCovered || !isCode ? 255 : (code.data[at] ?? 255);
  return Math.round(128 + (luma - 128) * contrast);
}
