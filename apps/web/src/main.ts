import "./styles/index.css";
// The first of all code that runs.
import { socketAhead } from "./app/ahead.ts";
import { boot } from "./app/boot.ts";

performance.mark("first script");
const page = boot(location.href, socketAhead);
// The interface, which the page preloads (see build/write-head.ts), is evaluated while the server answers, not before it is asked.
if (page !== null) {
  socketAhead
    .untilAsked()
    .then(() => import("./app/render-app.tsx"))
    .then(
      ({ renderApp }) => renderApp(page),
      // page-scripts/unsupported.js says so: the words of the app did not arrive either.
      () => dispatchEvent(new Event("app-missing")),
    );
}
