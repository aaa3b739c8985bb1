/** What a sentence goes on with after a code; these are no code themselves. */
export const following = new Set(
  (
    "at for to when and on in if gets gives saves takes knocks terms works applies will can they these those where only a an you youll that thats get plus or with as again by is off before during now the dot right your we its all so then from will gives into of one " +
    "checkout percent dollars promo code codes use just because this my our until while today i im it word any"
  ).split(" "),
);
/** Of those, the ones that join figures to something else ("for twenty"). */
export const joining = new Set(
  "at for to on in on if and or with as by off of from into before during until while because is one".split(" "),
);
/** What also ends a code, but may begin one. */
export const ending = new Set(
  (
    "super anyway anyways okay ok alright go check click visit head sign everybody everyone guys folks thanks thank please tonight link links hurry enjoy tell remember " +
    "ill ive im weve theyve youve youre theyre theyll itll thatll hes shes theres lets"
  ).split(" "),
);
/** What "code" goes on with as a verb or in other senses. */
export const noCodes = new Set(
  (
    "code codes review base reviews culture red blue name names named of breaker switching needed necessary required below above here there please works comes expires expired on in " +
    "box field page system section line editor say type enter put"
  ).split(" "),
);
/** What is said of a code, instead of telling it. */
export const qualities = new Set(
  "valid active live good easy simple available exclusive linked listed shown displayed printed posted gone automatically already waiting applied different pretty really still".split(
    " ",
  ),
);
