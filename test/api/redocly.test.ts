import { expect, it } from "@jest/globals";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { describedApi } from "../client/document.ts";

it("the OpenAPI document keeps every recommended rule of Redocly, warnings included, without exception", async () => {
  const config = await createConfig({ extends: ["recommended"] });
  const source = JSON.stringify(describedApi("https://api.media-index.test"));
  const problems = await lintFromString({ source, absoluteRef: "openapi.json", config });
  const seen = problems.map(({ severity, ruleId, message, location }) => ({
    severity,
    ruleId,
    message,
    at: location[0]?.pointer,
  }));
  expect(seen).toEqual([]);
});
