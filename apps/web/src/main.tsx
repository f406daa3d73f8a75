import "./styles/index.css";
import { startApp } from "./app/start-app.tsx";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");
void startApp(root);
