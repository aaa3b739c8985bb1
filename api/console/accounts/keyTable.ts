import type { VNode } from "preact";
import type { ApiKey } from "../../../database/keys.ts";
import { code } from "../components/links.ts";
import { table } from "../components/table.ts";
import { ago, at } from "../components/moment.ts";
import { status } from "../components/status.ts";

/** Keys by their names; nothing of what they are made of. */
export function keyTable(keys: readonly ApiKey[], now: Date): VNode {
  return table(
    "Keys, newest first",
    [
      { title: "Name", cell: ({ name }) => name },
      { title: "State", cell: (key) => stateOf(key, now) },
      { title: "Scopes", cell: ({ scopes }) => scopes.join(", ") },
      { title: "Last used", cell: ({ lastUsedAt }) => (lastUsedAt === null ? "never" : ago(lastUsedAt, now)) },
      { title: "From", cell: ({ lastUsedIp }) => lastUsedIp ?? "–" },
      { title: "Expires", cell: ({ expiresAt }) => (expiresAt === null ? "never" : at(expiresAt)) },
      { title: "Id", cell: ({ keyId }) => code(keyId) },
    ],
    keys,
    "It has no keys.",
  );
}

function stateOf({ state, expiresAt }: ApiKey, now: Date): VNode {
  switch (state) {
    case "active":
      return expiresAt !== null && expiresAt <= now ? status("expired", "neutral") : status("active", "good");
    case "disabled":
      return status("disabled", "bad");
    case "deleted":
      return status("deleted", "neutral");
  }
}
