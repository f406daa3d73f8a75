import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { WarrenError } from "@warren/protocol";
import { afterEach, describe, expect, test } from "vitest";
import { clientIdOf, fakePeer, roomWith } from "../../testing/fake-records.ts";
import { type FakeWarren, fakeWarren } from "../../testing/fake-warren.ts";
import { renderWithWarren } from "../../testing/render-with-warren.tsx";
import { toast } from "../../wiring/toast.ts";
import { useWarren } from "../../wiring/warren-context.ts";
import { sendItem } from "./send-item.ts";

const mara = clientIdOf(1);
const plan = new File(["plan"], "plan.pdf");
const results: boolean[] = [];

function SendButton() {
  const warren = useWarren();
  return (
    <button
      type="button"
      onClick={() =>
        void sendItem(warren, mara, [{ type: "file", file: plan }]).then((sent) => results.push(sent))
      }
    >
      Open
    </button>
  );
}

async function write(fake: FakeWarren, text: string) {
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")]));
  const { user } = renderWithWarren(<SendButton />, fake);
  await user.click(screen.getByRole("button", { name: "Open" }));
  const dialog = await screen.findByRole("dialog");
  await user.type(within(dialog).getByRole("textbox"), text);
  await user.click(within(dialog).getByRole("button", { name: "Send" }));
  return user;
}

afterEach(() => {
  results.length = 0;
  toast.dismiss();
  cleanup();
});

describe("sending a text and files to one person", () => {
  test("shows what was written again where the size question is cancelled", async () => {
    const fake = fakeWarren();
    fake.setOptions({ maxFileSize: 1 });
    const user = await write(fake, "See the plan");
    const question = await screen.findByRole("dialog", { name: /is over your limit/ });
    await user.click(within(question).getByRole("button", { name: "Cancel" }));
    const again = await screen.findByDisplayValue("See the plan");
    expect(screen.getByText("plan.pdf")).toBeTruthy();
    expect(fake.argsOf("sendText")).toEqual([]);
    await user.click(
      within(again.closest<HTMLElement>('[role="dialog"]') ?? expect.fail()).getByRole("button", {
        name: "Cancel",
      }),
    );
    await waitFor(() => expect(results).toEqual([false]));
  });

  test("shows only what could not be sent again", async () => {
    const fake = fakeWarren();
    fake.fail("sendText", new WarrenError("storage-failed", { reason: "x" }));
    await write(fake, "Keep me");
    expect(await screen.findByDisplayValue("Keep me")).toBeTruthy();
    expect(fake.argsOf("sendFile")).toEqual([[mara, plan]]);
    expect(screen.queryByText("plan.pdf")).toBeNull();
  });
});
