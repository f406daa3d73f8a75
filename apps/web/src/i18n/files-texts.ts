import { enUsFiles } from "../locales/en-us-files.ts";
import { addEnglish } from "./i18n.ts";

// Whoever imports this has the words of the pages that list files.
addEnglish(enUsFiles);
