import { evaluate, type Evaluation, rates } from "../../bench/detection/evaluate.ts";

describe.each(["develop", "report"] as const)("over the passages to %s on", (part) => {
  let evaluation: Evaluation;
  beforeAll(() => {
    evaluation = evaluate(part);
  });

  test("entities are found with an F1 of 0.92", () => {
    expect(rates(evaluation.scores.entities).f1).toBeGreaterThanOrEqual(0.92);
  });

  test("ad reads are found with a precision of 0.95 and a recall of 0.85", () => {
    const { precision, recall } = rates(evaluation.scores["ad reads"]);
    expect(precision).toBeGreaterThanOrEqual(0.95);
    expect(recall).toBeGreaterThanOrEqual(0.85);
  });

  test("told promotional codes are right", () => {
    expect(rates(evaluation.scores["promo codes"]).precision).toBeGreaterThanOrEqual(0.95);
  });
});
