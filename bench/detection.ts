import { evaluate, kinds, rates } from "./detection/evaluate.ts";

/** Precision, recall and F1 by kind over both parts of the labelled set; with `faults`, what was wrong in the part for development. */
export function benchDetection({ faults }: { faults: boolean }): void {
  for (const part of ["develop", "report"] as const) {
    const evaluation = evaluate(part);
    console.log(`${part}: ${evaluation.passages} passages`);
    console.table(
      Object.fromEntries(
        kinds.map((kind) => {
          const score = evaluation.scores[kind];
          const { precision, recall, f1 } = rates(score);
          const labelled = score.truePositives + score.falseNegatives;
          return [kind, { labelled, precision: precision.toFixed(3), recall: recall.toFixed(3), F1: f1.toFixed(3) }];
        }),
      ),
    );
    if (faults && part === "develop") console.log(evaluation.faults.join("\n"));
  }
}
