import { promoCodes } from "../../domain/detection/promoCode.ts";
import { readSpeech } from "../../domain/detection/speech.ts";

/** The codes told in lines of one speaker, as they are to be typed in. */
function codes(...lines: string[]): string[] {
  const segments = lines.map((text, index) => ({
    id: `seg_${index}`,
    startSeconds: index * 4,
    endSeconds: index * 4 + 4,
    text,
    speaker: null,
  }));
  return promoCodes(readSpeech(segments), []).map(({ code }) => code);
}

describe("promo codes are read as they would be typed in", () => {
  test.each([
    ["as they are written", "Use code KAYAK20 for ten percent off.", "KAYAK20"],
    ["figures put apart from them", "Use code KAYAK 20 for ten percent off.", "KAYAK20"],
    ["several words in capitals", "Use code TECH TALK for ten percent off.", "TECHTALK"],
    ["a word that is an amount elsewhere", "Use code TEN for a free month.", "TEN"],
    ["a word that names shorten", "use code doctor twenty for twenty percent off", "DOCTOR20"],
    ["number words", "use code ledger twenty twenty five to save ten percent", "LEDGER2025"],
    ["digits one by one", "enter code tom one five for fifteen percent off", "TOM15"],
    ["a figure named as one", "the promo code is razor and then the number five for a free month", "RAZOR5"],
    ["letters one by one", "use offer code t w i t to get ten percent off", "TWIT"],
    ["letters told twice over", "use code b double e n s for ten percent off", "BEENS"],
    ["quoted words", 'My code is "morning mile" and it gets you a free month.', "MORNINGMILE"],
    ["words that are one", "use promo code the morning show all one word for free shipping", "THEMORNINGSHOW"],
    ["somebody's name", "the code is my last name becker for fifteen percent off", "BECKER"],
    ["without the amount after it", "use code mike thirty percent off today", "MIKE"],
    ["without the address after it", "promo code hours acme dot com and you get a free month", "HOURS"],
    ["without free things after it", "use promo code pods free shipping too", "PODS"],
    ["with free as its own word", "use code sugar free for ten percent off", "SUGARFREE"],
  ])("%s", (_, line, code) => {
    expect(codes(line)).toEqual([code]);
  });

  test("a spelling corrects what was heard, and leaves figures that it does not tell", () => {
    expect(codes("Use code KAYLEE, that's K-A-Y-L-E-I-G-H, for ten percent off.")).toEqual(["KAYLEIGH"]);
    expect(codes("use code nina ten that's n i n a for ten percent off")).toEqual(["NINA10"]);
    expect(codes("use code amy for a 14 day free trial")).toEqual(["AMY"]);
  });

  test("a code goes on in the next line of captions", () => {
    expect(codes("so use the discount code night", "shift to get fifteen percent off")).toEqual(["NIGHTSHIFT"]);
  });
});

describe("promo codes are found wherever they are told", () => {
  test.each([
    ["before the word", "Today it's ten percent off, and BOOKWORM is the code.", "BOOKWORM"],
    ["before what they give", "WELCOME10 gets you ten percent off, Daniel says.", "WELCOME10"],
    [
      "without the word, where they are entered",
      "just type in noodle in the little box and save ten percent",
      "NOODLE",
    ],
    ["after where they are entered", "at checkout enter the word kayak and you get ten percent off", "KAYAK"],
    ["as the code", "use garage as your promo code and you get ten percent off", "GARAGE"],
    ["after an aside", "The code is, wait for it, TURBO, and that's ten percent off.", "TURBO"],
    ["a sentence later", "I left a discount code below. It's PEDAL20, and that's ten percent off.", "PEDAL20"],
    ["in answer", "And what's the promo code? TURBO. Ten percent off.", "TURBO"],
    ["in the speaker's own words", "if they ask for a promo code say pod and they'll give you a free month", "POD"],
    ["as a name for qualities", "use code easy at checkout for ten percent off", "EASY"],
  ])("%s", (_, line, code) => {
    expect(codes(line)).toEqual([code]);
  });
});

describe("no promo code is told", () => {
  test.each([
    "Enter your ZIP code 90210 to see if there's free shipping.",
    "learn to code python and get ten percent off",
    "no promo code needed just click the link for ten percent off",
    "you don't even need to use a code to get ten percent off",
    "the code is in the description and it gets you ten percent off",
    "use the code on your screen to get ten percent off",
    "the code is easy to find it's on the card for ten percent off",
    "the code changes every week and it's ten percent off",
    "your code runs in the cloud and the first month is free",
    "Use PayPal at checkout and save ten percent.",
    "It's made with SPF50 and B12, and you get ten percent off.",
    "put in some work and you get a free month",
    "The earbuds come in code red, and they're ten percent off.",
    "go to acme dot com slash kayak for ten percent off",
    "Use code 20% off.",
  ])("%s", (line) => {
    expect(codes(line)).toEqual([]);
  });

  test("by what is the name of somebody who advertises, where nothing speaks of a code", () => {
    const line = "For ten percent off, use AUDIBLE on your phone, Daniel.";
    const speech = readSpeech([{ id: "seg_0", startSeconds: 0, endSeconds: 4, text: line, speaker: null }]);
    const at = speech.words.findIndex(({ norm }) => norm === "audible");
    expect(promoCodes(speech, []).map(({ code }) => code)).toEqual(["AUDIBLE"]);
    expect(promoCodes(speech, [{ first: at, end: at + 1 }])).toEqual([]);
  });
});
