import { hueOf, initials } from "../ui/initials.ts";
import { onDemand } from "../ui/on-demand.tsx";

const qrcodeLibrary = onDemand(async () => (await import("qrcode")).default);

/** Edge of the code in CSS px, without its margin. */
export const qrWidth = 256;
const logoWidth = qrWidth / 6;
/** White around the logo, in px. */
const logoMargin = 6;
const ink = "#141c18";

/** The picture in the middle of a code. */
export interface QrLogo {
  /** Determines the hue of the initials. */
  readonly id: string;
  readonly name: string;
  /** A picture's address, or null for initials. */
  readonly src: string | null;
}

/**
 * Draws a QR code of error level M, which corrects more than the logo hides, sharp at the screen's pixel
 * density, with a round logo of a sixth of its width.
 * @returns the number of modules per row.
 */
export async function drawQrCode(
  canvas: HTMLCanvasElement,
  text: string,
  logo: QrLogo,
  signal: AbortSignal,
): Promise<number> {
  const [qrcode, picture] = await Promise.all([qrcodeLibrary.load(), loadPicture(logo.src)]);
  const { modules } = qrcode.create(text, { errorCorrectionLevel: "M" });
  const context = canvas.getContext("2d");
  if (signal.aborted || !context) return modules.size;

  const scale = Math.max(1, devicePixelRatio);
  canvas.width = Math.round(qrWidth * scale);
  canvas.height = canvas.width;
  // Edges are rounded to whole pixels, so that no module is grey.
  const edge = (index: number): number => Math.round((index * canvas.width) / modules.size);
  context.fillStyle = "#ffffff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = ink;
  for (let row = 0; row < modules.size; row++) {
    for (let column = 0; column < modules.size; column++) {
      if (!modules.get(row, column)) continue;
      context.fillRect(edge(column), edge(row), edge(column + 1) - edge(column), edge(row + 1) - edge(row));
    }
  }
  context.scale(canvas.width / qrWidth, canvas.width / qrWidth);
  drawLogo(context, logo, picture);
  return modules.size;
}

function drawLogo(context: CanvasRenderingContext2D, logo: QrLogo, picture: HTMLImageElement | null): void {
  const centre = qrWidth / 2;
  const circle = (radius: number): void => {
    context.beginPath();
    context.arc(centre, centre, radius, 0, 2 * Math.PI);
  };
  circle(logoWidth / 2 + logoMargin);
  context.fillStyle = "#ffffff";
  context.fill();
  circle(logoWidth / 2);
  // A fallback for browsers without oklch.
  context.fillStyle = "#dde8e2";
  context.fillStyle = `oklch(0.918 0.028 ${hueOf(logo.id)})`;
  context.fill();
  if (picture) {
    context.clip();
    context.drawImage(picture, centre - logoWidth / 2, centre - logoWidth / 2, logoWidth, logoWidth);
    return;
  }
  context.fillStyle = ink;
  context.fillStyle = `oklch(0.39 0.058 ${hueOf(logo.id)})`;
  context.font = `600 ${Math.round(logoWidth * 0.4)}px "Inter Variable", system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(initials(logo.name), centre, centre + 1);
}

async function loadPicture(src: string | null): Promise<HTMLImageElement | null> {
  if (src === null) return null;
  const image = new Image();
  image.src = src;
  try {
    await image.decode();
    return image;
  } catch {
    return null; // initials stand in, as everywhere
  }
}
