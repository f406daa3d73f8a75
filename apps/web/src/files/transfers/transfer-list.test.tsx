import { act, cleanup, screen } from "@testing-library/react";
import { everyone } from "@warren/core";
import { afterEach, expect, test } from "vitest";
import { clientIdOf, fakeFile, fakePeer, fakeTransfer, roomWith } from "../../testing/fake-records.ts";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { renderWithWarren } from "../../testing/render-with-warren.tsx";
import { TransferTray } from "./transfer-list.tsx";

afterEach(cleanup);

test("a file for everyone says who paused it and how many have received it", () => {
  const [mara, noor] = [clientIdOf(1), clientIdOf(2)];
  const fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist"), fakePeer(2, "Noor Haddad")]));
  const me = fake.warren.profile.store.getState().clientId;
  const complete = { state: "complete" } as const;
  const paused = { state: "pausedThere" } as const;
  const file = fakeFile(me, everyone, { fileName: "plans.mov" }, complete, 1);
  renderWithWarren(<TransferTray />, fake);
  act(() => {
    fake.addMessage({ ...file, offers: { [mara]: complete, [noor]: paused } });
    fake.setTransfer({ ...fakeTransfer(file, noor), mode: "send", now: paused });
  });
  const row = screen.getByRole("listitem");
  expect(row.textContent).toContain("Paused by Noor");
  expect(row.textContent).toContain("Received by 1 of 2");
  expect(screen.queryByRole("region", { name: "Done" })).toBeNull();
});
