import { configure } from "@testing-library/react";

// A machine that has much else to do is slow, not wrong: what `findBy…` and `waitFor` wait for has this long to come.
configure({ asyncUtilTimeout: 15_000 });
