import { openPool } from "../../database/pool.ts";
import { carryOut } from "../../services/feedback/carryOut.ts";
import { publicOnly, testVault } from "./context.ts";
import { testSettings } from "./settings.ts";

// A process of its own that carries out a review's step, so that it can be killed at it.
const pool = await openPool(process.env["DATABASE_URL"] ?? "", { maxConnections: 1 });
const context = {
  pool,
  settings: testSettings(),
  clock: () => new Date(),
  vault: testVault(),
  outbound: publicOnly,
};
process.on("message", (commandId) => {
  void carryOut(context, String(commandId)).then(({ outcome }) => process.send?.(outcome));
});
process.on("disconnect", () => process.exit());
process.send?.("ready");
