import { act, cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { fakeContact } from "../testing/fake-records.ts";
import { fakeWarren } from "../testing/fake-warren.ts";
import { renderWithWarren } from "../testing/render-with-warren.tsx";
import { LocalNetworkHint } from "./local-network-hint.tsx";

/** A browser that knows some permissions, and what it has decided. */
function browser(known: string, state: PermissionState) {
  const status = Object.assign(new EventTarget(), { state });
  vi.stubGlobal("navigator", {
    permissions: {
      query: async ({ name }: { name: string }) => {
        if (name !== known) throw new TypeError(`${name} is not a permission`);
        return status;
      },
    },
  });
  return (next: PermissionState) => {
    status.state = next;
    status.dispatchEvent(new Event("change"));
  };
}

function at(hostname: string): void {
  vi.stubGlobal("location", { hostname });
}

const asks = /Your browser may ask/;
const blocked = /This browser blocks Warren/;

async function show(fake = fakeWarren()) {
  await act(async () => renderWithWarren(<LocalNetworkHint className="" />, fake));
  return fake;
}

afterEach(cleanup);
afterEach(() => vi.unstubAllGlobals());

test.each(["local-network", "local-network-access"])("says beforehand what %s asks", async (name) => {
  browser(name, "prompt");
  at("warren.example.org");
  await show();
  expect(screen.getByText(asks)).toBeTruthy();
});

test("follows the answer: nothing once allowed, what to do once blocked", async () => {
  const answer = browser("local-network", "prompt");
  at("warren.example.org");
  await show();
  act(() => answer("granted"));
  expect(screen.queryByText(asks)).toBeNull();
  act(() => answer("denied"));
  expect(screen.getByText(blocked)).toBeTruthy();
});

test("says nothing in the local network, in browsers that do not ask, and to whom has met somebody", async () => {
  browser("local-network", "prompt");
  at("192.168.1.20");
  const fake = await show();
  expect(screen.queryByText(asks)).toBeNull();
  at("warren.example.org");
  browser("other", "prompt");
  await show();
  expect(screen.queryByText(asks)).toBeNull();
  browser("local-network", "prompt");
  fake.setChat({ contacts: { a: fakeContact(1, "Mara") } });
  await show(fake);
  expect(screen.queryByText(asks)).toBeNull();
});
