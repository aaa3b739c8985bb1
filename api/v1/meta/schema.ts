import { z } from "zod";
import { serviceVersion } from "../../http/exchange.ts";

const part = (description: string) => z.enum(["ok", "down"]).meta({ description });

export const health = z
  .object({
    status: z.enum(["ok", "degraded"]).meta({ description: "`degraded` while any part is down." }),
    version: z.string().meta({ description: "Release of the service.", example: serviceVersion }),
    time: z.iso.datetime().meta({ description: "The server's clock." }),
    checks: z
      .object({
        database: part("Without it no key can be checked."),
        temporal: part("Without it jobs are taken on and wait."),
        transcriber: part("Whether a speech engine is ready; without one jobs wait."),
      })
      .meta({ description: "The parts." }),
  })
  .meta({
    id: "Health",
    example: {
      status: "ok",
      version: serviceVersion,
      time: "2026-11-21T09:30:00.000Z",
      checks: { database: "ok", temporal: "ok", transcriber: "ok" },
    },
  });
