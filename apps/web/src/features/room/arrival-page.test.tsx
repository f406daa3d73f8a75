import { cleanup, screen, waitFor } from "@testing-library/react";
import { WarrenError } from "@warren/protocol";
import { afterEach, describe, expect, it, vi } from "vitest";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { renderWithWarren } from "../../testing/render-with-warren.tsx";
import { toast } from "../../ui/toaster.tsx";
import type { ArrivalCardProps } from "./arrival-card.tsx";
import { ArrivalPage } from "./arrival-page.tsx";

function show(props: ArrivalCardProps = {}) {
  const fake = fakeWarren();
  fake.setRoom({ status: "disconnected", error: null });
  return { fake, ...renderWithWarren(<ArrivalPage {...props} />, fake) };
}

const joinButton = () => screen.getByRole("button", { name: "Join room" });

afterEach(() => {
  toast.dismiss();
  cleanup();
});

describe("the arrival page", () => {
  it("joins the room of the link under the name typed, with one button", async () => {
    const { user, fake } = show();
    expect(screen.getByRole("heading", { level: 1, name: "Join harbour" })).not.toBeNull();
    await user.clear(screen.getByRole("textbox", { name: "Your name" }));
    await user.type(screen.getByRole("textbox", { name: "Your name" }), "Mara");
    await user.click(joinButton());
    expect(fake.argsOf("updateProfile")).toEqual([
      [{ name: "Mara", roomId: "harbour" }],
      [{ initialJoin: false }],
    ]);
    expect(fake.argsOf("join")).toHaveLength(1);
  });

  it("lets a person choose the room where no link named one", async () => {
    const { user, fake } = show({ choosesRoom: true });
    const room = screen.getByRole("textbox", { name: "Room ID" });
    expect(screen.getByDisplayValue("harbour")).toBe(room);
    await user.click(screen.getByRole("button", { name: "Another room ID" }));
    expect(screen.queryByDisplayValue("harbour")).toBeNull();
    await user.clear(room);
    await user.click(joinButton());
    expect(screen.getByText("A room ID is needed.")).not.toBeNull();
    expect(fake.argsOf("join")).toHaveLength(0);
  });

  it("says that a room without a password is open to whoever knows its ID", () => {
    show();
    expect(screen.getByText("This room has no password. Anyone who knows its ID can join.")).not.toBeNull();
  });

  it("joins with the servers of a link unless the person says no", async () => {
    const onJoin = vi.fn();
    const { user } = show({ linkServerHosts: ["turn.example"], onJoin });
    const choice = screen.getByRole("checkbox", { name: /turn\.example/, checked: true });
    await user.click(choice);
    await user.click(joinButton());
    expect(onJoin).toHaveBeenCalledWith(false);
  });

  it("shows that it is joining, and can be called off", async () => {
    const { user, fake } = show();
    fake.setRoom({ status: "connecting", roomId: "harbour", isWaiting: false });
    await waitFor(() =>
      expect(screen.getByRole("button", { name: "Joining harbour" }).ariaBusy).not.toBeNull(),
    );
    await user.click(screen.getByRole("button", { name: "Cancel joining" }));
    expect(fake.argsOf("leave")).toHaveLength(1);
  });

  it("says why joining failed", async () => {
    const { user, fake } = show();
    fake.fail("join", new WarrenError("room-full"));
    await user.click(joinButton());
    expect(await screen.findByText("Could not join harbour")).not.toBeNull();
    expect(screen.getByText("The room is full. Try again when someone has left.")).not.toBeNull();
  });

  it("offers to try again where the server did not answer", async () => {
    const { user, fake } = show();
    fake.fail("join", new WarrenError("signalling-unreachable"));
    await user.click(joinButton());
    await user.click(await screen.findByRole("button", { name: "Try again" }));
    await waitFor(() => expect(fake.argsOf("join")).toHaveLength(2));
  });

  it("joins without the password where the room has none", async () => {
    const { user, fake } = show();
    fake.fail("join", new WarrenError("room-is-open"));
    await user.click(joinButton());
    await user.click(await screen.findByRole("button", { name: "Join without a password" }));
    await waitFor(() => expect(fake.argsOf("join")).toHaveLength(2));
    expect(fake.argsOf("updateProfile")).toContainEqual([{ password: null }]);
  });

  it("is quiet when the person called joining off", async () => {
    const { user, fake } = show();
    fake.fail("join", new WarrenError("connection-closed"));
    await user.click(joinButton());
    await waitFor(() => expect(fake.argsOf("join")).toHaveLength(1));
    expect(screen.queryByText("Could not join harbour")).toBeNull();
  });
});
