import { cleanup, render, screen } from "@testing-library/react";
import { Suspense } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { afterEach, describe, expect, it, vi } from "vitest";
import "../testing/longer-timeout.ts";
import { lazyWithPreload, preloadAll } from "./lazy-with-preload.ts";
import { isMissingCode } from "./missing-code.ts";

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

describe("a lazy component with preload", () => {
  it("is fetched when it is rendered, once", async () => {
    const Hello = ({ name }: { readonly name: string }) => <p>Hello {name}</p>;
    const fetchCode = vi.fn(async () => ({ default: Hello }));
    const Greeting = lazyWithPreload(fetchCode);
    const greet = (name: string) => (
      <Suspense fallback={<p>Soon</p>}>
        <Greeting name={name} />
      </Suspense>
    );
    const { rerender } = render(greet("Mara"));
    expect(screen.getByText("Soon")).not.toBeNull();
    expect(await screen.findByText("Hello Mara")).not.toBeNull();
    rerender(greet("Noor"));
    expect(screen.getByText("Hello Noor")).not.toBeNull();
    expect(fetchCode).toHaveBeenCalledTimes(1);
  });

  it("renders at once when all code is loaded, and so does one inside it", async () => {
    const Page = lazyWithPreload(async () => {
      const Part = lazyWithPreload(async () => ({ default: () => <p>Part</p> }));
      return { default: () => <Part /> };
    });
    await preloadAll();
    render(<Page />); // without a fallback it may not wait
    expect(screen.getByText("Part")).not.toBeNull();
  });

  it("throws to the boundary around it if it cannot be fetched", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {}); // React logs it too
    const failure = new TypeError("Failed to fetch");
    const Broken = lazyWithPreload<object>(() => {
      dispatchEvent(Object.assign(new Event("vite:preloadError"), { payload: failure }));
      return Promise.reject(failure);
    });
    render(
      <ErrorBoundary fallbackRender={({ error }) => <p>{isMissingCode(error) ? "missing" : "crashed"}</p>}>
        <Suspense fallback={null}>
          <Broken />
        </Suspense>
      </ErrorBoundary>,
    );
    expect(await screen.findByText("missing")).not.toBeNull();
    expect(isMissingCode(new TypeError("Failed to fetch"))).toBe(false);
  });
});
