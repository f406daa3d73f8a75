import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { renderUi } from "../testing/render-ui.tsx";
import { drawQrCode } from "./draw-qr-code.ts";
import { QrCode } from "./qr-code.tsx";

vi.mock("./draw-qr-code.ts", { spy: true });
afterEach(cleanup);

test("a QR code whose library cannot be fetched stays empty, without an uncaught error", async () => {
  vi.mocked(drawQrCode).mockRejectedValue(new Error("no network"));
  renderUi(<QrCode text="https://warren.example/" logo={{ id: "a", name: "Ada", src: null }} />);
  await expect.poll(() => vi.mocked(drawQrCode).mock.settledResults[0]?.type).toBe("rejected");
  expect(screen.getByRole("img", { name: "QR code of the room link" })).toBeTruthy();
});
