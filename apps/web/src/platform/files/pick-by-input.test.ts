// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { pickByInput } from "./pick-by-input.ts";

const inputs = () => [...document.querySelectorAll<HTMLInputElement>("input[type=file]")];

function answer(input: HTMLInputElement | undefined, files: readonly File[]): void {
  if (input) Object.defineProperty(input, "files", { value: files });
  input?.dispatchEvent(new Event("change"));
}

it("resolves with the chosen files, whatever happened to the page meanwhile", async () => {
  const page = document.body.appendChild(document.createElement("main"));
  const picking = pickByInput({ multiple: true, accept: "image/*" });
  page.remove();
  const [input] = inputs();
  expect([input?.multiple, input?.accept]).toEqual([true, "image/*"]);
  const file = new File(["a"], "a.txt");
  answer(input, [file]);
  expect(await picking).toEqual([file]);
  expect(inputs()).toEqual([]);
});

it("resolves with nothing when cancelled", async () => {
  const picking = pickByInput({});
  inputs()[0]?.dispatchEvent(new Event("cancel"));
  expect(await picking).toEqual([]);
  expect(inputs()).toEqual([]);
});

it("ends a picker that the browser never answered when the next one opens", async () => {
  const first = pickByInput({});
  const second = pickByInput({ folder: true });
  expect(await first).toEqual([]);
  expect(inputs()).toHaveLength(1);
  inputs()[0]?.dispatchEvent(new Event("cancel"));
  expect(await second).toEqual([]);
});
