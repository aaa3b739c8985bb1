import { foldText } from "../names.ts";

/** A boolean query as a tree. A term's words are folded; a prefix stands for every word that begins with its last one. */
export type Query =
  | { kind: "term"; words: string; isPrefix: boolean }
  | { kind: "not"; of: Query }
  | { kind: "and" | "or"; of: readonly Query[] };

/** Why a text is no query, and at which of its characters, counted from 1. */
export interface QueryFault {
  position: number;
  problem: string;
}

export const maxQueryLength = 1000;
const maxDepth = 20;

type Token = { position: number } & (
  | { kind: "and" | "or" | "not" | "open" | "close" | "end" }
  | { kind: "term"; words: string; isPrefix: boolean }
);

class FaultFound extends Error {
  readonly fault: QueryFault;

  constructor(position: number, problem: string) {
    super(problem);
    this.fault = { position, problem };
  }
}

/**
 * Reads a boolean query (decisions.md "filters"): AND, OR and NOT in capitals, "phrases", prefix*, parentheses; words side by side must all
 * be there. NOT binds before AND, AND before OR. Its length and depth are bounded, and so is the work of reading it.
 */
export function parseQuery(text: string): { query: Query } | { fault: QueryFault } {
  if (text.length > maxQueryLength)
    return { fault: { position: maxQueryLength + 1, problem: `a query has at most ${maxQueryLength} characters` } };
  try {
    return { query: new Parser([...tokens(text)]).parse() };
  } catch (error) {
    if (error instanceof FaultFound) return { fault: error.fault };
    throw error;
  }
}

/** Whether a text, as `foldText` gives it, answers the query. */
export function queryMatches(query: Query, foldedText: string): boolean {
  const spaced = ` ${foldedText} `;
  const holds = (each: Query): boolean => {
    switch (each.kind) {
      case "term":
        return spaced.includes(each.isPrefix ? ` ${each.words}` : ` ${each.words} `);
      case "not":
        return !holds(each.of);
      case "and":
        return each.of.every(holds);
      case "or":
        return each.of.some(holds);
    }
  };
  return holds(query);
}

const tokenPattern = /\s+|([()])|"([^"]*)("?)|([^\s()"]+)/gy;

function* tokens(text: string): Generator<Token> {
  for (const match of text.matchAll(tokenPattern)) {
    const position = match.index + 1;
    const [, parenthesis, phrase, closingQuote, word] = match;
    if (parenthesis !== undefined) yield { kind: parenthesis === "(" ? "open" : "close", position };
    else if (phrase !== undefined) {
      if (closingQuote === "") throw new FaultFound(position, "the phrase that begins here has no closing quote");
      yield termToken(phrase, false, position);
    } else if (word !== undefined) yield wordToken(word, position);
  }
  yield { kind: "end", position: text.length + 1 };
}

function wordToken(word: string, position: number): Token {
  if (word === "AND" || word === "OR" || word === "NOT") {
    const kind = word === "AND" ? "and" : word === "OR" ? "or" : "not";
    return { kind, position };
  }
  const star = word.indexOf("*");
  if (star !== -1 && star < word.length - 1)
    throw new FaultFound(position + star, "`*` can only stand at the end of a word");
  return termToken(star === -1 ? word : word.slice(0, -1), star !== -1, position);
}

function termToken(text: string, isPrefix: boolean, position: number): Token {
  const words = foldText(text);
  if (words === "") throw new FaultFound(position, "there is no letter or digit to look for");
  return { kind: "term", words, isPrefix, position };
}

class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;

  constructor(all: readonly Token[]) {
    this.#tokens = all;
  }

  parse(): Query {
    const query = this.#or();
    const token = this.#peek();
    if (token.kind !== "end") throw new FaultFound(token.position, "this `)` closes nothing");
    return query;
  }

  #or(): Query {
    const of = [this.#and()];
    while (this.#peek().kind === "or") {
      this.#next += 1;
      of.push(this.#and());
    }
    return joined("or", of);
  }

  #and(): Query {
    const of = [this.#not()];
    for (;;) {
      const { kind } = this.#peek();
      if (kind === "end" || kind === "close" || kind === "or") return joined("and", of);
      if (kind === "and") this.#next += 1;
      of.push(this.#not());
    }
  }

  #not(): Query {
    const token = this.#peek();
    this.#next += 1;
    switch (token.kind) {
      case "not":
        return this.#deeper(token, () => ({ kind: "not", of: this.#not() }));
      case "open":
        return this.#deeper(token, () => {
          const inner = this.#or();
          if (this.#peek().kind !== "close") throw new FaultFound(token.position, "the `(` here is not closed");
          this.#next += 1;
          return inner;
        });
      case "term":
        return { kind: "term", words: token.words, isPrefix: token.isPrefix };
      case "and":
      case "or":
        throw new FaultFound(token.position, `${token.kind.toUpperCase()} needs a word, a phrase or a \`(\` before it`);
      case "close":
        throw new FaultFound(token.position, "a word, a phrase or a `(` is missing before this `)`");
      case "end":
        throw new FaultFound(token.position, "a word, a phrase or a `(` is missing at the end");
    }
  }

  #deeper(token: Token, parse: () => Query): Query {
    this.#depth += 1;
    if (this.#depth > maxDepth) throw new FaultFound(token.position, `a query nests at most ${maxDepth} levels deep`);
    const query = parse();
    this.#depth -= 1;
    return query;
  }

  #peek(): Token {
    const token = this.#tokens[this.#next];
    if (token === undefined) throw new Error("the parser ran past the end of the query");
    return token;
  }
}

function joined(kind: "and" | "or", of: readonly Query[]): Query {
  const [only] = of;
  return of.length === 1 && only !== undefined ? only : { kind, of };
}
