/** So common in sentences and logs that they tell nothing apart. */
const STOP_WORDS = new Set(
  `a again always an and are as at be been but by can did do does every for from had has have i if in into is it its last line me most my
  not no of on or our so than that the their then there these this time to too up was were what when where which while who
  will with you your self def return import file call recent py usr lib python site packages`.split(
    /\s+/,
  ),
);

const MAX_WORD_CHARS = 40;

/** The words of a text as they are compared: small, without endings, names in camel case in their parts too. */
export function wordsOf(text: string): readonly string[] {
  const words: string[] = [];
  for (const [found] of text.matchAll(/[\p{L}\p{N}_]+/gu)) {
    const plain = found.slice(0, MAX_WORD_CHARS);
    const parts = plain.split(/_|(?<=[a-z])(?=[A-Z])/).filter((part) => part !== '');
    for (const part of parts.length > 1 ? [plain, ...parts] : parts) {
      const word = stem(part.toLowerCase());
      if (word.length > 1 && !STOP_WORDS.has(word)) words.push(word);
    }
  }
  return words;
}

/** "throttling" and "throttled" are one word. */
function stem(word: string): string {
  for (const ending of ['ing', 'ed', 'es', 's']) {
    if (word.endsWith(ending) && word.length - ending.length >= 4) {
      return word.slice(0, -ending.length);
    }
  }
  return word;
}
