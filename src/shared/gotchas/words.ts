/** So common in sentences and logs that they tell nothing apart. */
const STOP_WORDS = new Set(
  `a again always an and are as at be been but by can did do does every for from had has have i if in into is it its last line me most my
  not no of on or our so than that the their then there these this time to too up was were what when where which while who
  will with you your just quite really should very want would how why self def return import file call recent py usr lib python site packages`.split(
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
      const small = part.toLowerCase();
      if (small.length > 1 && !STOP_WORDS.has(small)) words.push(sameOf(stem(small)));
    }
  }
  return words;
}

/**
 * What people call the same thing, a line each, in the form in which words are compared. An entry says "the disk bills", and is
 * looked for by "storage costs".
 */
const SAME = new Map(
  `cost bill charge fee price pay paid invoice money spend expensive
  gone lost lose loss disappear vanish delete erase wipe remove empti
  stop shutdown shut poweroff halt pause park off
  box machine instance server vm
  gpu card
  memory ram vram oom
  slow slower slowly crawl lag behind
  hang stuck stall freeze frozen forever
  die dead death
  address ip
  traffic egress bandwidth
  fail failure broke broken break crash
  restart reboot relaunch
  resume continue
  copy transfer upload send
  size big bigger large larger huge resize enlarge grow
  idle unused
  checkpoint ckpt
  secret key token password credential
  utilisation utilization usage util
  hot heat thermal temperature
  environment env
  upgrade update
  spot interruptible preempt preemptible outbid
  region datacenter zone
  balance credit arrear
  disk storage space
  output print
  silent quiet quietly
  session connection`
    .split('\n')
    .flatMap((line) => {
      const words = line.trim().split(' ').map(stem);
      return words.map((word) => [word, words[0] ?? word] as const);
    }),
);

/** "throttling" and "throttled" are one word, and so are "save" and "saving", "run" and "running". */
function stem(word: string): string {
  const ending = ['ing', 'ed', 'es', 's'].find(
    (each) =>
      word.endsWith(each) &&
      word.length - each.length >= (each === 's' ? 3 : 4) - Number(each === 'ing'),
  );
  const bare = ending === undefined ? word : word.slice(0, -ending.length);
  return bare
    .replace(/([bdgmnprt])\1$/, '$1')
    .replace(/(?<=..)y$/, 'i')
    .replace(/(?<=...)e$/, '');
}

const sameOf = (word: string): string => SAME.get(word) ?? word;
