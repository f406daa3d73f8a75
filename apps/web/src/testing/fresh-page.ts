/** Runs before each test file: files share a process, and each starts as a newly opened page. */
import { vi } from "vitest";

vi.resetModules();
if (typeof document !== "undefined") {
  // No finger rests on it that still has to lift.
  window.dispatchEvent(new Event("pointercancel"));
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, "", "/");
}
