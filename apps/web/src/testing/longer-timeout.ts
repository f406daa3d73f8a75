import { configure } from "@testing-library/react";

// On a loaded machine `findBy…` and `waitFor` may take long.
configure({ asyncUtilTimeout: 15_000 });
