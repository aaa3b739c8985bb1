import { z } from "zod";
import { serviceVersion } from "../../http/exchange.ts";

const part = z.enum(["ok", "down"]);
export const health = z
  .object({
    status: z.enum(["ok", "degraded"]).meta({ description: "`degraded` while any part is down." }),
    version: z.string().meta({ example: serviceVersion }),
    time: z.iso.datetime(),
    checks: z.object({ database: part, temporal: part, transcriber: part }),
  })
  .meta({ id: "Health" });
