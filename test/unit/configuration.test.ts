import { describe, expect, it } from "@jest/globals";
import { parseConfiguration } from "../../domain/configuration.ts";

const machine = { cores: 4, currentFolder: "/srv/media-index", readSettings: () => ({}) };

const withSettings = (settings: unknown) =>
  parseConfiguration({ MEDIA_INDEX_SETTINGS: "s.json" }, { ...machine, readSettings: () => settings });

describe("the configuration", () => {
  it("has a default for everything, with paths under the home folder", () => {
    const configuration = parseConfiguration({}, machine);
    expect(configuration).toMatchObject({
      PORT: 8080,
      publicUrl: "http://127.0.0.1:8080",
      home: "/srv/media-index/.media-index",
      mediaFolder: "/srv/media-index/.media-index/media",
      speechProcesses: 4,
    });
    expect(configuration.settings.monthlyRows).toEqual({
      free: 500,
      pro: 10_000,
      pro_plus: 50_000,
      ultra: 200_000,
      teams: 500_000,
      enterprise: 2_000_000,
    });
  });

  it("takes an empty variable for an unset one", () => {
    expect(parseConfiguration({ DATABASE_URL: "", PORT: "" }, machine)).toMatchObject({ PORT: 8080 });
  });

  it("names every variable that does not fit, never its value", () => {
    const broken = { PORT: "eighty", DATABASE_URL: "secret-word", TEMPORAL_TLS: "yes" };
    const parse = () => parseConfiguration(broken, machine);
    expect(parse).toThrow(/PORT/);
    expect(parse).toThrow(/DATABASE_URL/);
    expect(parse).toThrow(/TEMPORAL_TLS/);
    expect(parse).not.toThrow(/secret-word/);
  });

  it("lets a settings file change single numbers and refuses misspelt ones", () => {
    const { monthlyRows, prices } = withSettings({ monthlyRows: { pro: 7 }, prices: { unlockBlockRows: 60 } }).settings;
    expect([monthlyRows.pro, monthlyRows.free, prices.unlockBlockRows, prices.generationBlockRows]).toEqual([
      7, 500, 60, 100,
    ]);
    expect(() => withSettings({ prices: { unlockBlockRow: 60 } })).toThrow(/unlockBlockRow/);
  });
});
