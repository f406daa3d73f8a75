import { cleanup, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { fakeMedia } from "../../testing/fake-media.ts";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { fakePlatform, renderWithWarren } from "../../testing/render-with-warren.tsx";
import type { LocalMedia } from "../../wiring/platform-context.ts";
import { AddressForm } from "./address-form.tsx";

const camera: { see: (text: string) => void } = { see: () => {} };
vi.mock("../../devices/code-camera.tsx", () => ({
  default: ({ onCode }: { readonly onCode: (text: string) => void }) => {
    camera.see = onCode;
    return <p>Camera</p>;
  },
}));

afterEach(cleanup);

test("reads the link of a room from its QR code, and says what is none", async () => {
  const joined = vi.fn();
  const platform = { ...fakePlatform(), media: fakeMedia([]) as unknown as LocalMedia };
  const { user } = renderWithWarren(<AddressForm onLink={joined} className="" />, fakeWarren(), { platform });
  await user.click(screen.getByRole("button", { name: "Scan a QR code" }));
  await screen.findByText("Camera");
  camera.see("https://elsewhere.example/?id=quay");
  expect(await screen.findByText(/This link leads to elsewhere\.example/)).toBeTruthy();
  expect(joined).not.toHaveBeenCalled();
  const link = `${platform.home}?id=quay`;
  // A camera sees the same code many times.
  for (const text of [link, link]) camera.see(text);
  await waitFor(() => expect(joined).toHaveBeenCalledTimes(1));
  expect(joined.mock.calls[0]?.[0]).toMatchObject({ roomId: "quay" });
});

test("a link that may not be joined yet waits in the field", async () => {
  const joined = vi.fn();
  const mayJoin = vi.fn(() => false);
  const platform = { ...fakePlatform(), media: fakeMedia([]) as unknown as LocalMedia };
  const form = <AddressForm onLink={joined} mayJoin={mayJoin} className="" />;
  const { user } = renderWithWarren(form, fakeWarren(), { platform });
  await user.click(screen.getByRole("button", { name: "Scan a QR code" }));
  await screen.findByText("Camera");
  const link = `${platform.home}?id=quay`;
  camera.see(link);
  await waitFor(() => expect(screen.getByRole("combobox")).toHaveProperty("value", link));
  camera.see(link);
  expect(mayJoin).toHaveBeenCalledTimes(1);
  expect(joined).not.toHaveBeenCalled();
  mayJoin.mockReturnValue(true);
  await user.click(screen.getByRole("button", { name: "Join" }));
  expect(joined.mock.calls[0]?.[0]).toMatchObject({ roomId: "quay" });
});

test("offers no camera where the browser has none", () => {
  renderWithWarren(<AddressForm onLink={vi.fn()} className="" />, fakeWarren(), {
    platform: { ...fakePlatform(), media: null },
  });
  expect(screen.queryByRole("button", { name: "Scan a QR code" })).toBeNull();
});
