import { cleanup, screen } from "@testing-library/react";
import { Suspense } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { fakePlatform, renderWithWarren } from "../../testing/render-with-warren.tsx";
import { lazyWithPreload } from "../../wiring/lazy-with-preload.ts";
import { PageBoundary } from "./page-boundary.tsx";

afterEach(cleanup);

describe("the error boundary", () => {
  it("shows the error with its technical text collapsed, copies it, and renders the page again", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {}); // React logs every caught error
    const page = { broken: true };
    function Page() {
      if (page.broken) throw new Error("cache 7d1f2c90 info not found");
      return <p>All is well</p>;
    }
    const platform = fakePlatform();
    const { user } = renderWithWarren(
      <PageBoundary>
        <Page />
      </PageBoundary>,
      fakeWarren(),
      { platform },
    );
    expect(await screen.findByRole("heading", { name: "Error Occurred" })).not.toBeNull();
    expect(screen.getByText("cache 7d1f2c90 info not found")).not.toBeNull();
    expect(screen.getByText("Technical details").closest("details")?.hasAttribute("open")).toBe(false);

    await user.click(screen.getByRole("button", { name: "Copy details" }));
    expect(platform.written[0]).toContain("cache 7d1f2c90 info not found");

    page.broken = false;
    await user.click(screen.getByRole("button", { name: "Reset this page" }));
    expect(screen.getByText("All is well")).not.toBeNull();
  });

  it("offers to reload if the code of a page cannot be fetched", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const reload = vi.spyOn(location, "reload").mockImplementation(() => {});
    const failure = new TypeError("Failed to fetch");
    const Page = lazyWithPreload<object>(() => {
      dispatchEvent(Object.assign(new Event("vite:preloadError"), { payload: failure }));
      return Promise.reject(failure);
    });
    const { user } = renderWithWarren(
      <PageBoundary path="/file">
        <Suspense>
          <Page />
        </Suspense>
      </PageBoundary>,
      fakeWarren(),
    );
    await screen.findByRole("heading", { name: "This page could not be loaded" });
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(reload).toHaveBeenCalledTimes(1);
  });

  it("renders the page of another address after an error", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    function Page(): never {
      throw new Error("broken");
    }
    const { rerender } = renderWithWarren(
      <PageBoundary path="/file">
        <Page />
      </PageBoundary>,
      fakeWarren(),
    );
    expect(await screen.findByText("broken")).not.toBeNull();
    rerender(
      <PageBoundary path="/setting">
        <p>Settings</p>
      </PageBoundary>,
    );
    expect(screen.getByText("Settings")).not.toBeNull();
  });
});
