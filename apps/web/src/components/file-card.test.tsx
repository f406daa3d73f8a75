import { act, cleanup, screen } from "@testing-library/react";
import type { TransferStatus } from "@warren/core";
import { useMemo, useState } from "react";
import { afterEach, expect, test } from "vitest";
import { clientIdOf, fakeFile } from "../testing/fake-records.ts";
import { fakeWarren } from "../testing/fake-warren.ts";
import { renderWithWarren } from "../testing/render-with-warren.tsx";
import { FileCard } from "./file-card.tsx";

const mara = clientIdOf(1);
const offer = fakeFile(mara, mara, {}, { status: "init" }, 1);
const nothing = (): void => {};

afterEach(cleanup);

test("a card keeps the focus of a keyboard as its buttons change, and gives it to its row without any", () => {
  const fake = fakeWarren();
  let show = (_state: TransferStatus): void => {};
  function Row() {
    const [state, setState] = useState<TransferStatus>({ status: "init" });
    show = (next) => act(() => setState(next));
    const message = useMemo(() => ({ ...offer, transfers: { [mara]: state } }), [state]);
    return (
      <article tabIndex={-1}>
        <FileCard message={message} isMine={false} onDelete={nothing} />
      </article>
    );
  }
  renderWithWarren(<Row />, fake);
  const button = (verb: string): HTMLElement =>
    screen.getByRole("button", { name: `${verb}: ${offer.file.fileName}` });
  act(() => button("Accept").focus());
  show({ status: "transferring" });
  expect(document.activeElement).toBe(button("Pause"));
  show({ status: "paused", by: "me" });
  expect(document.activeElement).toBe(button("Resume"));
  show({ status: "error", error: { code: "transfer-cancelled", values: { offeredAgain: 1 } } });
  expect(document.activeElement).toBe(screen.getByRole("article"));
});
