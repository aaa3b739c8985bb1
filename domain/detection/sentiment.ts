import model from "wink-eng-lite-web-model";
import winkNLP from "wink-nlp";

type Reader = (text: string) => number;
let reader: Reader | undefined;

/** The opinion in an English text, −1 to 1, by winkNLP's lexicon with negation; 0 where there is none. */
export function sentimentOf(text: string): number {
  reader ??= createReader();
  const score = Math.max(-1, Math.min(1, reader(text)));
  return Math.round(score * 1000) / 1000;
}

function createReader(): Reader {
  const nlp = winkNLP(model, ["sbd", "negation", "sentiment"]);
  const { its } = nlp;
  return (text) => {
    // oxlint-disable-next-line typescript/unbound-method -- the library takes it as a name of what to tell
    return Number(nlp.readDoc(text).out(its.sentiment));
  };
}
