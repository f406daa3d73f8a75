import { buildJoinLink, generatePassword } from "@warren/core";
import qrcode from "qrcode";
import { expect, it } from "vitest";

it("makes a QR code of at most 37 modules per side for a new room", () => {
  const by = "6d4c1c55-8b5e-4a53-9a0c-0b6f3f0f6b11";
  for (let i = 0; i < 200; i++) {
    const room = { roomId: `${"n".repeat(10)}-4f2k`, password: generatePassword() };
    const link = buildJoinLink("https://warren.example/", { ...room, servers: { stuns: [], turns: [] }, by });
    expect(qrcode.create(link, { errorCorrectionLevel: "M" }).modules.size, link).toBeLessThanOrEqual(37);
  }
});
