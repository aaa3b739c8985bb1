/** What one rewrite may put in the place of what: some hours of talk, which is more than anybody reads before they save. */
export const mostRewrittenCharacters = 100_000;
export const mostRewrittenSegments = 5000;
