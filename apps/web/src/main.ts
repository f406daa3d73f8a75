import "./styles/index.css";
import { beginPage } from "./app/begin-page.ts";
// The first of all code that runs.
import { socketAhead } from "./app/socket-ahead.ts";

performance.mark("first script");
const page = beginPage(location.href, socketAhead);
// The room is entered while the interface is still fetched and compiled; the page preloads it (see vite.config.ts).
if (page !== null) {
  import("./app/start-app.tsx").then(
    ({ startApp }) => startApp(page),
    // public/unsupported.js says so: the words of the app did not arrive either.
    () => dispatchEvent(new Event("app-missing")),
  );
}
