import { parseConfiguration, type Settings } from "../../domain/configuration.ts";

/** The product's settings; `changed` is what a site would write into its settings file. */
export function testSettings(changed: unknown = {}): Settings {
  const machine = { cores: 2, currentFolder: "/", readSettings: () => changed };
  return parseConfiguration({ MEDIA_INDEX_SETTINGS: "test" }, machine).settings;
}
