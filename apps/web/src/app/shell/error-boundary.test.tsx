import { cleanup, screen } from "@testing-library/react";
import { WarrenError } from "@warren/protocol";
import { afterEach, describe, expect, it, vi } from "vitest";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { fakeDevice, renderWithWarren } from "../../testing/render-with-warren.tsx";
import { componentOnDemand } from "../../ui/on-demand.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";

afterEach(cleanup);

describe("the error boundary", () => {
  it("shows the error with its technical text collapsed, copies it, and renders the page again", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {}); // React logs every caught error
    const page = { broken: true };
    function Page() {
      if (page.broken) throw new Error("cache 7d1f2c90 info not found");
      return <p>All is well</p>;
    }
    const device = fakeDevice();
    const { user } = renderWithWarren(
      <ErrorBoundary>
        <Page />
      </ErrorBoundary>,
      fakeWarren(),
      { device },
    );
    expect(await screen.findByRole("heading", { name: "Error Occurred" })).not.toBeNull();
    expect(screen.getByText("cache 7d1f2c90 info not found")).not.toBeNull();
    expect(screen.getByText("Technical details").closest("details")?.hasAttribute("open")).toBe(false);

    await user.click(screen.getByRole("button", { name: "Copy details" }));
    expect(device.written[0]).toContain("cache 7d1f2c90 info not found");

    page.broken = false;
    await user.click(screen.getByRole("button", { name: "Reset this page" }));
    expect(screen.getByText("All is well")).not.toBeNull();
  });

  it("retries a page whose code failed to load, and renders it", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const network = { isUp: false };
    const Page = componentOnDemand(async () => {
      if (!network.isUp) throw new TypeError("Failed to fetch");
      return () => <p>All is well</p>;
    });
    const { user } = renderWithWarren(
      <ErrorBoundary place="/file">
        <Page />
      </ErrorBoundary>,
      fakeWarren(),
    );
    await screen.findByRole("heading", { name: "This page could not be loaded" });
    await user.click(screen.getByRole("button", { name: "Try again" }));
    await screen.findByRole("heading", { name: "This page could not be loaded" });
    network.isUp = true;
    await user.click(screen.getByRole("button", { name: "Try again" }));
    await screen.findByText("All is well");
  });

  it("offers to reload if the server has another version", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const Page = componentOnDemand(() => Promise.reject(new WarrenError("http-error", { code: 404 })));
    renderWithWarren(
      <ErrorBoundary place="/file">
        <Page />
      </ErrorBoundary>,
      fakeWarren(),
    );
    await screen.findByText("The server now has a different version of Warren. Reload to use it.");
    // A toast of an earlier test may still be shown, with its own button.
    const buttons = screen.getAllByRole("button", { name: /^(?:Reload|Try again)$/ });
    expect(buttons.map(({ textContent }) => textContent)).toEqual(["Reload", "Try again"]);
  });

  it("renders the page of another address after an error", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    function Page(): never {
      throw new Error("broken");
    }
    const { rerender } = renderWithWarren(
      <ErrorBoundary place="/file">
        <Page />
      </ErrorBoundary>,
      fakeWarren(),
    );
    expect(await screen.findByText("broken")).not.toBeNull();
    rerender(
      <ErrorBoundary place="/setting">
        <p>Settings</p>
      </ErrorBoundary>,
    );
    expect(screen.getByText("Settings")).not.toBeNull();
  });
});
