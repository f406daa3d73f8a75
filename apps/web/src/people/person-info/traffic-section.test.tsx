import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { renderUi } from "../../testing/render-ui.tsx";
import { TrafficSection } from "./traffic-section.tsx";
import { noTraffic } from "./use-connection-report.ts";

afterEach(cleanup);

test("shows the traffic once there was some, and then stays", () => {
  const { rerender } = renderUi(<TrafficSection traffic={{ ...noTraffic, history: [0, 0] }} />);
  expect(screen.queryByRole("img")).toBeNull();
  rerender(<TrafficSection traffic={{ ...noTraffic, history: [0, 0, 2_048] }} />);
  expect(screen.getByText(/^peak 2/)).toBeTruthy();
  rerender(<TrafficSection traffic={{ ...noTraffic, history: [0, 0] }} />);
  expect(screen.getByRole("img")).toBeTruthy();
});
