import { ChevronDown, ChevronUp } from "lucide-react";
import { icon } from "../ui/icons.tsx";

export const OlderIcon = /* @__PURE__ */ icon(ChevronUp);
export const NewerIcon = /* @__PURE__ */ icon(ChevronDown);
