// Sets the theme before the first paint. Kept apart from the app's code because a strict
// content security policy allows no inline script. src/wiring/preferences/use-theme.ts takes over once the app runs.
(() => {
  let theme = null;
  try {
    theme = localStorage.getItem("ui-theme");
  } catch {
    // Storage may be denied; the system's preference still counts.
  }
  const dark = theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.classList.toggle("dark", dark);
  document.querySelector('meta[name="theme-color"]').content = dark ? "#0e1110" : "#f5f7f6";
})();
