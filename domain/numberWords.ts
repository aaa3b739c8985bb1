/** English words of the numbers 0 to 9, 10 to 19, and 20, 30 … 90. */
export const units = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
export const teens = [
  "ten",
  "eleven",
  "twelve",
  "thirteen",
  "fourteen",
  "fifteen",
  "sixteen",
  "seventeen",
  "eighteen",
  "nineteen",
];
export const tens = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
