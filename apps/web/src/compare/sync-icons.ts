import { ArrowLeft, ArrowRight, ChevronDown } from "lucide-react";
import { icon } from "../ui/icons.tsx";

export const FetchIcon = /* @__PURE__ */ icon(ArrowRight);
export const OfferIcon = /* @__PURE__ */ icon(ArrowLeft);
export const OpensMenuIcon = /* @__PURE__ */ icon(ChevronDown);
