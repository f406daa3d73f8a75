/** Set-up before each test file: files share a process, and each begins as a page just opened. */
import { vi } from "vitest";

vi.resetModules();
if (typeof document !== "undefined") {
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, "", "/");
}
