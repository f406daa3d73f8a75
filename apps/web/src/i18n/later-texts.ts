import { enUsChat } from "../locales/en-us-chat.ts";
import { enUsDialogs } from "../locales/en-us-dialogs.ts";
import { enUsLater } from "../locales/en-us-later.ts";
import { addEnglish } from "./i18n.ts";

// What comes on demand comes with these; whoever is fetched in another way imports them.
addEnglish(enUsChat);
addEnglish(enUsDialogs);
addEnglish(enUsLater);
