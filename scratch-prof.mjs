import { readFileSync } from "node:fs";
const p = JSON.parse(readFileSync(process.argv[2], "utf8"));
const self = new Map(),
  total = p.timeDeltas.reduce((a, b) => a + b, 0);
const byId = new Map(p.nodes.map((n) => [n.id, n]));
p.samples.forEach((id, i) => {
  const f = byId.get(id).callFrame;
  const k = `${f.functionName || "(anon)"} ${f.url.replace(/.*\/names\//, "")}:${f.lineNumber}`;
  self.set(k, (self.get(k) ?? 0) + p.timeDeltas[i]);
});
for (const [k, v] of [...self].sort((a, b) => b[1] - a[1]).slice(0, 32)) console.log(((100 * v) / total).toFixed(1), k);
