import * as z from "zod/mini";

// Zod's compiled parsers need `new Function`, which the content security policy forbids.
z.config({ jitless: true });

export { z };
