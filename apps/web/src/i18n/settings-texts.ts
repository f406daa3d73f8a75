import { enUsSettings } from "../locales/en-us-settings.ts";
import { addEnglish } from "./i18n.ts";

// Whoever imports this has the words of the settings and of the stage.
addEnglish(enUsSettings);
