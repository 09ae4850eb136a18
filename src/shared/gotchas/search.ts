import { speaksOfAnEnd } from '../triage/classify.ts';
import { placeOfLastFigures } from '../triage/log-endings.ts';
import type { Gotcha } from './gotcha.ts';
import { boundText, lineAt, plainLog } from './log-text.ts';
import { namesOf, platformsIn, platformsTyped } from './platform-words.ts';
import { lastPlaceOf, parseSign, type Sign } from './sign.ts';
import { wordsOf } from './words.ts';

/** Longer, or over several lines, it is pasted and not typed. */
const MAX_TYPED_CHARS = 160;

/** How much a word in this field says about what the entry is about. */
const FIELD_WEIGHTS = {
  title: 3,
  symptom: 2,
  asked: 2,
  signs: 2,
  scope: 2,
  cause: 1,
  probes: 0.8,
  fix: 0.6,
};
/** The usual constants of BM25: a word's tenth occurrence says little more than its third; long entries have no advantage. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.6;
/** Words of a log are about anything: alone they find nothing, and only order what its signs leave equal. */
const LOG_WORDS_SHARE = 0.2;
/** A sign of usual length (24 characters) that no other entry has counts as much as several telling words. */
const SIGN_WEIGHT = 6;
const USUAL_SIGN_CHARS = 24;
/** A whole word outweighs one that only begins so. */
const PREFIX_SHARE = 0.6;
const NAMED_PLATFORM = 1.8;
/** An entry of a platform of which the log says nothing stands behind one that is true anywhere. */
const OTHER_PLATFORM = 0.6;
/** Somebody who types the name of one platform means no other; who types none may still have one. */
const ANOTHER_PLATFORM = 0.5;
const UNNAMED_PLATFORM = 0.85;
/** What somebody typed fits an entry that holds half of what it says, or two of its words and a third of it. */
const FITS_FROM_SHARE = 0.5;
const FITS_WITH_WORDS = 2;
const FITS_WITH_WORDS_FROM_SHARE = 0.2;
/** Another view of an entry that is found itself. */
const SAME_AGAIN = 0.5;

/** Why an entry was found. */
export type Reason =
  | { readonly kind: 'id' }
  /** `line`: where in the text, as it was pasted; hostile, whoever shows it escapes it. */
  | { readonly kind: 'sign'; readonly sign: string; readonly line: string }
  | { readonly kind: 'words' };

export interface Hit {
  readonly id: string;
  readonly score: number;
  readonly reason: Reason;
}

export interface SearchAnswer {
  /** Best first. */
  readonly hits: readonly Hit[];
  /** It was read as a log and not as words that somebody typed. */
  readonly isLog: boolean;
  /** A part in the middle was left out, because the text is too long. */
  readonly isCut: boolean;
}

interface Entry {
  readonly gotcha: Gotcha;
  /** Each word with the weight of the fields in which it stands. */
  readonly words: ReadonlyMap<string, number>;
  readonly length: number;
  readonly signs: readonly (Sign & { readonly text: string })[];
}

export interface SearchIndex {
  readonly entries: readonly Entry[];
  readonly wordCounts: ReadonlyMap<string, number>;
  readonly signCounts: ReadonlyMap<string, number>;
  readonly meanLength: number;
}

export function buildIndex(gotchas: readonly Gotcha[]): SearchIndex {
  const entries = gotchas.map(entryOf);
  const lengths = entries.reduce((sum, { length }) => sum + length, 0);
  return {
    entries,
    wordCounts: countOf(entries.map(({ words }) => [...words.keys()])),
    signCounts: countOf(entries.map(({ signs }) => signs.map(keyOf))),
    meanLength: lengths / Math.max(1, entries.length),
  };
}

function entryOf(gotcha: Gotcha): Entry {
  const words = new Map<string, number>();
  let length = 0;
  const add = (text: string, weight: number): void => {
    for (const word of wordsOf(text)) {
      words.set(word, (words.get(word) ?? 0) + weight);
      length += weight;
    }
  };
  add(gotcha.title, FIELD_WEIGHTS.title);
  add(gotcha.symptom, FIELD_WEIGHTS.symptom);
  add(gotcha.cause, FIELD_WEIGHTS.cause);
  for (const step of gotcha.fix) add(step, FIELD_WEIGHTS.fix);
  for (const { probe, means } of gotcha.probes) add(`${probe} ${means}`, FIELD_WEIGHTS.probes);
  for (const sign of gotcha.signs) add(sign, FIELD_WEIGHTS.signs);
  add(gotcha.asked ?? '', FIELD_WEIGHTS.asked);
  for (const name of namesOf(gotcha.scope)) add(name, FIELD_WEIGHTS.scope);
  const signs = gotcha.signs.map((text) => ({ ...parseSign(text), text }));
  return { gotcha, words, length, signs };
}

const keyOf = ({ parts }: Sign): string => parts.join('…');

function countOf(lists: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const list of lists) {
    for (const each of new Set(list)) counts.set(each, (counts.get(each) ?? 0) + 1);
  }
  return counts;
}

/** Ranks the entries by what somebody typed, or by a log they pasted. An empty text finds nothing. */
export function search(index: SearchIndex, typed: string): SearchAnswer {
  const { text, isCut } = boundText(plainLog(typed));
  const isLog = text.length > MAX_TYPED_CHARS || text.includes('\n');
  if (text === '') return { hits: [], isLog, isCut };
  const small = text.toLowerCase();
  // Lengths may differ in foreign letters; a place in one text is then no place in the other.
  const shown = small.length === text.length ? text : small;
  // One line of an error is no words that somebody chose, either.
  const isError = isLog || ERROR_LINE.test(text);
  const survived = isLog ? placeOfLastFigures(text) : 0;
  const platforms = isLog ? platformsIn(small) : platformsTyped(small);
  const words = new Set(wordsOf(text));
  // While somebody types, the last word may not be all of it.
  const prefix = isLog || /\s$/.test(typed) ? null : (wordsOf(text).at(-1) ?? null);
  const found = index.entries.flatMap((entry): readonly Hit[] => {
    const sign = bestSign(entry, index, small, ({ at }) =>
      at < survived ? speaksOfAnEnd(lineAt(shown, at)) : false,
    );
    const fromWords = wordScore(entry, index, words, prefix) * (isLog ? LOG_WORDS_SHARE : 1);
    const isNamed =
      !isLog && text.split(/[\s,;#]+/).some((each) => isNameOf(entry.gotcha.id, each, text));
    if (!isNamed && sign === null && (isError || !isAbout(entry, index, words, prefix))) return [];
    const score =
      (isNamed ? 1000 : 0) + ((sign?.score ?? 0) + fromWords) * scopeShare(entry, platforms, isLog);
    if (score <= 0) return [];
    const reason: Reason = isNamed
      ? { kind: 'id' }
      : sign === null
        ? { kind: 'words' }
        : { kind: 'sign', sign: sign.text, line: lineAt(shown, sign.at) };
    return [{ id: entry.gotcha.id, score, reason }];
  });
  return { hits: sameAgainLower(found, index).sort((a, b) => b.score - a.score), isLog, isCut };
}

const ERROR_LINE = /(?:^|[\s.])\w{0,60}(?:Error|Exception): /;

/** "idle" and "driver" are ids, and words as well: they are meant as ids where nothing else was typed. And a link is "PCIe gen1". */
function isNameOf(id: string, word: string, text: string): boolean {
  if (word.toUpperCase() !== id || (/^gen\d/i.test(id) && /pci/i.test(text))) return false;
  return /[\d-]/.test(id) || word === id || text.trim() === word;
}

/** Whether the entry holds enough of what was typed; a word that no entry has weighs most. */
function isAbout(
  { words: own }: Entry,
  { entries, wordCounts }: SearchIndex,
  words: ReadonlySet<string>,
  prefix: string | null,
): boolean {
  let all = 0;
  let shared = 0;
  let count = 0;
  for (const word of words) {
    const has =
      (own.get(word) ?? 0) >= FIELD_WEIGHTS.cause ||
      (word === prefix && [...own.keys()].some((each) => each.startsWith(word)));
    const rarity = rarityOf(entries.length, wordCounts.get(word) ?? 0);
    all += rarity;
    if (!has) continue;
    shared += rarity;
    count += 1;
  }
  const share = all === 0 ? 0 : shared / all;
  return (
    share >= FITS_FROM_SHARE || (count >= FITS_WITH_WORDS && share >= FITS_WITH_WORDS_FROM_SHARE)
  );
}

const rarityOf = (entries: number, count: number): number =>
  Math.log(1 + (entries - count + 0.5) / (count + 0.5));

/**
 * All signs of an entry that the text holds, each weighed by how rare and how long it is; the heaviest is named. One that the
 * run has survived is none: what it did then is not what the log is about.
 */
function bestSign(
  { signs }: Entry,
  { entries, signCounts }: SearchIndex,
  small: string,
  isSurvived: (place: { readonly at: number }) => boolean,
): { readonly score: number; readonly text: string; readonly at: number } | null {
  let best: { score: number; text: string; at: number } | null = null;
  let others = 0;
  for (const sign of signs) {
    const at = lastPlaceOf(sign, small);
    if (at < 0 || isSurvived({ at })) continue;
    const rarity =
      Math.log(1 + entries.length / (signCounts.get(keyOf(sign)) ?? 1)) /
      Math.log(1 + entries.length);
    const score =
      SIGN_WEIGHT * rarity * Math.min(1.6, Math.sqrt(sign.chars / USUAL_SIGN_CHARS)) * 2;
    if (best === null || score > best.score) {
      others += (best?.score ?? 0) * 0.25;
      best = { score, text: sign.text, at };
    } else others += score * 0.25;
  }
  return best === null ? null : { ...best, score: best.score + others };
}

function wordScore(
  { words: own, length }: Entry,
  { entries, wordCounts, meanLength }: SearchIndex,
  words: ReadonlySet<string>,
  prefix: string | null,
): number {
  let score = 0;
  const slope = SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / meanLength);
  for (const word of words) {
    const weight = own.get(word);
    if (weight !== undefined) {
      score +=
        (rarityOf(entries.length, wordCounts.get(word) ?? 0) * weight * (SATURATION + 1)) /
        (weight + slope);
    }
  }
  if (prefix !== null && !own.has(prefix)) {
    const begun = [...own].filter(([word]) => word.startsWith(prefix));
    const weight = Math.max(0, ...begun.map(([, each]) => each));
    const rarity = Math.max(
      0,
      ...begun.map(([word]) => rarityOf(entries.length, wordCounts.get(word) ?? 0)),
    );
    score += (PREFIX_SHARE * rarity * weight * (SATURATION + 1)) / (weight + slope);
  }
  return score;
}

function scopeShare(
  { gotcha: { scope } }: Entry,
  platforms: ReadonlySet<string>,
  isLog: boolean,
): number {
  if (scope === 'universal' || scope === 'generic-ssh') return 1;
  if (platforms.has(scope)) return NAMED_PLATFORM;
  if (isLog) return OTHER_PLATFORM;
  return platforms.size > 0 ? ANOTHER_PLATFORM : UNNAMED_PLATFORM;
}

function sameAgainLower(hits: readonly Hit[], { entries }: SearchIndex): Hit[] {
  const found = new Set(hits.map(({ id }) => id));
  const views = new Map(
    entries.map(({ gotcha: { id, coverage } }) => [
      id,
      coverage !== null && 'sameAs' in coverage ? coverage.sameAs : [],
    ]),
  );
  return hits.map((hit) =>
    hit.reason.kind !== 'id' && (views.get(hit.id) ?? []).some((other) => found.has(other))
      ? { ...hit, score: hit.score * SAME_AGAIN }
      : hit,
  );
}
