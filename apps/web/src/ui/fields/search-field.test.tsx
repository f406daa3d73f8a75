import { cleanup, fireEvent, screen } from "@testing-library/react";
import { type ComponentProps, useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { renderUi } from "../../testing/render-ui.tsx";
import { SearchField } from "./search-field.tsx";

afterEach(cleanup);

function Search(props: Partial<ComponentProps<typeof SearchField>>) {
  const [value, setValue] = useState("");
  return <SearchField label="Search people" value={value} onChange={setValue} {...props} />;
}

const field = (): HTMLInputElement => screen.getByRole("searchbox", { name: "Search people" });

test("Escape clears the field, even where other shortcuts are active", async () => {
  const onKeyDown = vi.fn();
  const { user } = renderUi(<Search onKeyDown={onKeyDown} />);
  await user.type(field(), "mara{Escape}");
  expect(field().value).toBe("");
  expect(onKeyDown).toHaveBeenCalledTimes(5);
});

test("Escape is left to a listener that stops it", async () => {
  const { user } = renderUi(
    <Search onKeyDown={(event) => event.key === "Escape" && event.stopPropagation()} />,
  );
  await user.type(field(), "mara{Escape}");
  expect(field().value).toBe("mara");
});

test.each([
  ["as most browsers tell it", { isComposing: true }],
  ["as Safari tells it", { keyCode: 229 }],
])("keys of an input method are ignored, %s", async (_, composing) => {
  const onKeyDown = vi.fn();
  const { user } = renderUi(<Search onKeyDown={onKeyDown} />);
  await user.type(field(), "ma");
  onKeyDown.mockClear();
  for (const key of ["Enter", "ArrowDown", "Escape"]) fireEvent.keyDown(field(), { key, ...composing });
  expect(onKeyDown).not.toHaveBeenCalled();
  expect(field().value).toBe("ma");
});
