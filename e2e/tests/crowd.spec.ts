import { gatherCrowd } from "../support/crowd.ts";
import { expect, test } from "../support/fixtures.ts";

// This many pages take minutes on a test machine.
if (process.env.WARREN_LONG === "1")
  test("24 people who join at once all meet, and each text to everyone is shown and stored exactly once", async ({
    browser,
    server,
  }, testInfo) => {
    test.setTimeout(1_800_000);
    const { metMs, textsMs, ...found } = await gatherCrowd({
      url: server.url,
      size: 24,
      textsEach: 3,
      patienceMs: 600_000,
      browsers: [browser],
    });
    testInfo.annotations.push({ type: "met after", description: `${metMs} ms` });
    testInfo.annotations.push({ type: "texts shown after", description: `${textsMs} ms` });
    expect(found).toEqual({ apart: [], lost: [], doubled: [], failed: [] });
    expect(metMs).not.toBeNull();
    expect(textsMs).not.toBeNull();
  });
