import { once } from "node:events";
import { readFile } from "node:fs/promises";
import express from "express";

/**
 * The floor: an Express handler that sends bytes that are ready, plain or as they were compressed before, and does nothing else. The files
 * that hold them come in the environment.
 */
const plain = await readFile(process.env["BENCH_PLAIN"] ?? "");
const compressed = await readFile(process.env["BENCH_GZIP"] ?? "");

const app = express().disable("x-powered-by").disable("etag");
app.get("/v1/transcripts/:id", (request, response) => {
  const isCompressed = request.headers["accept-encoding"] === "gzip";
  if (isCompressed) response.setHeader("Content-Encoding", "gzip");
  response.setHeader("Content-Type", "application/json; charset=utf-8");
  response.send(isCompressed ? compressed : plain);
});

const server = app.listen(0, "127.0.0.1");
await once(server, "listening");
const address = server.address();
if (address === null || typeof address === "string") throw new Error("the server listens on no TCP port");
process.send?.({ url: `http://127.0.0.1:${address.port}` });
process.once("disconnect", () => process.exit());
