import { cleanup, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { fakeDevice, renderWithWarren } from "../../testing/render-with-warren.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";

afterEach(cleanup);

describe("the error boundary", () => {
  it("shows what stopped the page with its technical text closed, copies it, and draws the page anew", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {}); // React tells of every caught error
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
    expect(screen.getByRole("heading", { name: "Error Occurred" })).not.toBeNull();
    expect(screen.getByText("cache 7d1f2c90 info not found")).not.toBeNull();
    expect(screen.getByText("Technical text").closest("details")?.hasAttribute("open")).toBe(false);

    await user.click(screen.getByRole("button", { name: "Copy text" }));
    expect(device.written[0]).toContain("cache 7d1f2c90 info not found");

    page.broken = false;
    await user.click(screen.getByRole("button", { name: "Reset this page" }));
    expect(screen.getByText("All is well")).not.toBeNull();
  });
});
