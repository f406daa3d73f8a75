import { cleanup, screen } from "@testing-library/react";
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
