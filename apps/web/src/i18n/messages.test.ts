import { expect, test } from "vitest";
import { type Fitting, type LocaleOf, localeTexts } from "./messages.ts";
import { zhCn } from "./zh-cn.ts";

interface English {
  readonly group: {
    readonly plain: "Join";
    readonly named: "{{name}} offers {{file}}";
    readonly files_one: "One file";
    readonly files_other: "{{count}} files";
  };
}

function fitting<const Texts>(texts: Texts & Fitting<English, Texts> & LocaleOf<English>): LocaleOf<English> {
  return texts;
}

test("a language needs only the general form of a plural, and may have forms that English lacks", () => {
  expect(
    fitting({ group: { plain: "a", named: "{{file}} {{name}}", files_other: "{{count}}" } }),
  ).toBeDefined();
  const manyForms = {
    plain: "a",
    named: "{{file}} {{name}}",
    files_few: "{{count}} b",
    files_one: "c",
  } as const;
  expect(fitting({ group: { ...manyForms, files_other: "{{count}}" } })).toBeDefined();
});

test("texts that do not match the English ones do not compile", () => {
  const good = { plain: "a", named: "{{file}} {{name}}", files_other: "{{count}}" } as const;
  const { plain: _plain, ...lacking } = good;
  const check = (): void => {
    // @ts-expect-error a text is missing
    fitting({ group: lacking });
    // @ts-expect-error a group is missing
    fitting({});
    // @ts-expect-error the general form of a plural is missing
    fitting({ group: { plain: "a", named: "{{file}} {{name}}", files_one: "b" } });
    // @ts-expect-error there is no such text in English
    fitting({ group: { ...good, other: "b" } });
    // @ts-expect-error there is no such group in English
    fitting({ group: good, other: { plain: "b" } });
    // @ts-expect-error English has no plural of this text
    fitting({ group: { ...good, plain_few: "b" } });
    // @ts-expect-error it lacks the file
    fitting({ group: { ...good, named: "{{name}}" } });
    // @ts-expect-error a plural lacks its count
    fitting({ group: { ...good, files_other: "b" } });
    // @ts-expect-error it names something that English does not
    fitting({ group: { ...good, plain: "{{room}}" } });
    // @ts-expect-error the value is misspelt
    fitting({ group: { ...good, named: "{{nane}} {{file}}" } });
    // @ts-expect-error a group is not a text
    fitting({ group: "a" });
    // @ts-expect-error the whole interface is more than this
    localeTexts({ common: zhCn.common });
  };
  expect(check).toBeTypeOf("function");
});
