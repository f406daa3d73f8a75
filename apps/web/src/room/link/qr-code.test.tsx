import { cleanup, screen } from "@testing-library/react";
import { buildJoinLink, generatePassword } from "@warren/core";
import qrcode from "qrcode";
import { useState } from "react";
import { afterEach, expect, test } from "vitest";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { renderWithWarren } from "../../testing/render-with-warren.tsx";
import { QrCode } from "./qr-code.tsx";

afterEach(cleanup);

const code = () => screen.queryByRole("img", { name: "QR code of the room link" });

test("a link too long for a QR code is reported as such, until it is shorter", async () => {
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
  await user.click(screen.getByRole("button", { name: "Shorten" }));
  // Drawn, with a margin of four of its 25 modules.
  await expect.poll(() => code()?.parentElement?.style.padding).toBe("41px");
});

test("makes a QR code of at most 37 modules per side for a new room", () => {
  const by = "6d4c1c55-8b5e-4a53-9a0c-0b6f3f0f6b11";
  for (let i = 0; i < 200; i++) {
    const room = { roomId: `${"n".repeat(10)}-4f2k`, password: generatePassword() };
    const link = buildJoinLink("https://warren.example/", { ...room, servers: { stuns: [], turns: [] }, by });
    expect(qrcode.create(link, { errorCorrectionLevel: "M" }).modules.size, link).toBeLessThanOrEqual(37);
  }
});
