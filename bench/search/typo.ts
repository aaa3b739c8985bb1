import { foldName } from "../../domain/names.ts";
import type { Random } from "../generator/random.ts";

const letters = "abcdefghijklmnopqrstuvwxyz".split("");

/**
 * The name with one random typing error: a letter put in, left out, replaced, or two neighbours swapped, each as likely, at any place, spaces
 * included. Errors that folding undoes (case, accents, punctuation) are not counted as such, another is made.
 */
export function withTypo(random: Random, name: string): string {
  for (;;) {
    const at = random.below(name.length);
    const typed = edited(random, name, at);
    if (foldName(typed) !== foldName(name) && typed.trim() !== "") return typed;
  }
}

function edited(random: Random, name: string, at: number): string {
  const [head, tail] = [name.slice(0, at), name.slice(at)];
  switch (random.below(4)) {
    case 0: {
      const place = random.below(name.length + 1);
      return name.slice(0, place) + random.pick(letters) + name.slice(place);
    }
    case 1:
      return head + tail.slice(1);
    case 2:
      return head + random.pick(letters) + tail.slice(1);
    default:
      return head + tail.slice(1, 2) + tail.slice(0, 1) + tail.slice(2);
  }
}
