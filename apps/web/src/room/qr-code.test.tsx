import { cleanup, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { fakeWarren } from "../testing/fake-warren.ts";
import { renderWithWarren } from "../testing/render-with-warren.tsx";
import { QrCode } from "./qr-code.tsx";

const network = vi.hoisted(() => ({ isUp: false }));
vi.mock("qrcode", async (importOriginal) => {
  if (!network.isUp) throw new TypeError("Failed to fetch");
  return importOriginal();
});
afterEach(cleanup);

const code = () => screen.queryByRole("img", { name: "QR code of the room link" });

test("a QR code whose library cannot be fetched offers to try again", async () => {
  const { user } = renderWithWarren(<QrCode text="https://warren.example/" />, fakeWarren());
  const again = await screen.findByRole("button", { name: "Try again" });
  expect(code()).toBeNull();
  network.isUp = true;
  await user.click(again);
  // Drawn, with a margin of four of its 25 modules.
  await expect.poll(() => code()?.parentElement?.style.padding).toBe("41px");
});

test("a link too long for a QR code is reported as such, until it is shorter", async () => {
  network.isUp = true;
  function Dialog() {
    const [secrets, setSecrets] = useState("a".repeat(3_000));
    return (
      <>
        <QrCode text={`https://warren.example/#${secrets}`} />
        <button type="button" onClick={() => setSecrets("")}>
          Shorten
        </button>
      </>
    );
  }
  const { user } = renderWithWarren(<Dialog />, fakeWarren());
  await screen.findByText("This link is too long for a QR code. Copy it instead.");
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Shorten" }));
  await expect.poll(() => code()?.parentElement?.style.padding).toBe("41px");
});
