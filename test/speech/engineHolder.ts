import { createLocalEngine } from "../../adapters/speech/localEngine.ts";

/** Holds an idle and a busy engine process until it is killed, and tells their pids. */
const [pythonPath = "", pcmPath = ""] = process.argv.slice(2);
const engine = createLocalEngine({ pythonPath, model: "bundled", processes: 2 });
await engine.ready();
const work = engine.recognise(
  { pcmPath, span: { startSeconds: 0, endSeconds: 11 }, language: "en" },
  new AbortController().signal,
);
process.stdout.write(`${engine.pids().join(" ")}\n`);
await work;
setInterval(() => undefined, 1000);
