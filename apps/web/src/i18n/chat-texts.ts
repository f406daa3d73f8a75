import { enUsChat } from "../locales/en-us-chat.ts";
import { addEnglish } from "./i18n.ts";

// Whoever imports this has the words of an open conversation.
addEnglish(enUsChat);
