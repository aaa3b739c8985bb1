import { describe, expect, it } from "@jest/globals";
import { foldName, slugOf } from "../../domain/names.ts";

describe("foldName", () => {
  it.each([
    ["The Beyoncé-Knowles Co.", "beyonce knowles co"],
    ["O'Neil  &  Sons", "oneil sons"],
    ["ＡＢＣ", "abc"],
    ["The", "the"],
    ["!!!", "!!!"],
    ["Straße", "strasse"],
    ["Zoë Łuk", "zoe luk"],
    ["AT&T", "at t"],
    ["東京", "東京"],
  ])("%s → %s", (name, folded) => expect(foldName(name)).toBe(folded));
});

describe("slugOf", () => {
  it.each([
    ["Ada's Engine", "adas-engine"],
    ["東京", "entity"],
    ["x".repeat(200), "x".repeat(80)],
  ])("%s → %s", (name, slug) => expect(slugOf(name)).toBe(slug));
});
