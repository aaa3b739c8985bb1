import { describe, expect, it } from "@jest/globals";
import { parseFreeText } from "../../domain/freeText.ts";

const word = (text: string) => ({ text, isPrefix: false });
const prefix = (text: string) => ({ text, isPrefix: true });

describe("parseFreeText", () => {
  it.each([
    ["one two", [word("one"), word("two")]],
    ['say "one two" three', [word("say"), word("one two"), word("three")]],
    ["begin*", [prefix("begin")]],
    ['"two beg"*', [prefix("two beg")]],
    ["“curly marks” «others»", [word("curly marks"), word("others")]],
    ['"never closed', [word("never closed")]],
    ["R&B - *", [word("R&B")]],
    ["½", [word("½")]],
    ["日本", [word("日本")]],
  ])("%s", (search, pieces) => expect(parseFreeText(search)).toEqual(pieces));

  it.each(["", "   ", "***", '"" -', "!?"])("%p holds no word", (search) => expect(parseFreeText(search)).toBeNull());
});
