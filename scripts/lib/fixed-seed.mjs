/** Runs before each test file: properties draw the same values every time, and new ones only in long runs. */
import { configureGlobal } from "fast-check";

const { WARREN_LONG, WARREN_SEED } = process.env;
if (WARREN_LONG !== "1" || WARREN_SEED !== undefined) configureGlobal({ seed: Number(WARREN_SEED ?? 1) });
