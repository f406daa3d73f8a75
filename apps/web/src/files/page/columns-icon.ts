import { Columns3 } from "lucide-react";
import { icon } from "../../ui/icons.tsx";

/** The column chooser's icon; defined here, because the icons of `ui` load with the first page. */
export const ColumnsIcon = /* @__PURE__ */ icon(Columns3);
