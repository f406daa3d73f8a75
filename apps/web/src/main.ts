import "./styles/index.css";
import { beginPage } from "./app/begin-page.ts";

performance.mark("first script");
const page = beginPage(location.href);
// The room is entered while the interface is still fetched and compiled; the page preloads it (see vite.config.ts).
if (page !== null) void import("./app/start-app.tsx").then(({ startApp }) => startApp(page));
