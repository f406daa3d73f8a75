import { enUsDialogs } from "../locales/en-us-dialogs.ts";
import { addEnglish } from "./i18n.ts";

// Whoever imports this has the words of the dialogs.
addEnglish(enUsDialogs);
