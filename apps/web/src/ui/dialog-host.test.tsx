import { cleanup, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { renderUi } from "../testing/render-ui.tsx";
import { DialogHost } from "./dialog-host.tsx";
import { componentOnDemand } from "./on-demand.tsx";
import { type DialogSlot, openDialog } from "./open-dialog.tsx";
import { Toaster, toast } from "./toaster.tsx";

vi.mock("./error-dialog.tsx", () => {
  throw new TypeError("Failed to fetch");
});

const missing = "This part could not be loaded. Check your network and try again.";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {}); // React logs every caught error
  renderUi(
    <>
      <DialogHost />
      <Toaster narrow={false} label="Notifications" closeLabel="Close" />
    </>,
  );
});
afterEach(() => {
  toast.dismiss();
  cleanup();
  vi.restoreAllMocks();
});

test("a dialog that cannot be fetched, nor its error dialog, is cancelled and says what to do", async () => {
  const Dialog = componentOnDemand<DialogSlot<string>>(() =>
    Promise.reject(new TypeError("Failed to fetch")),
  );
  expect(await openDialog(Dialog, {})).toEqual({ cancelled: true });
  await screen.findByText(missing);
});

test("a dialog that crashed shows no exception", async () => {
  const Dialog = (_props: DialogSlot<string>) => {
    throw new Error("cache 7 not found");
  };
  expect(await openDialog(Dialog, {})).toEqual({ cancelled: true });
  await screen.findByText("Error occurred");
  expect(screen.queryByText(missing)).toBeNull();
  expect(screen.queryByText(/cache 7/)).toBeNull();
});
