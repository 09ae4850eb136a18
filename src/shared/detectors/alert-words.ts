import { excerpt } from '../probes/probe-output.ts';
import type { AlertVariant, Gotcha, Gotchas } from '../gotchas/gotcha.ts';
import type { BoxFindings, JudgedBox } from './box-findings.ts';
import type { Concluded, Finding } from './finding.ts';
import {
  isList,
  type phrases,
  type AlertId,
  type Phrase,
  type Says,
  type Value,
  type Values,
} from './says.ts';

/** The entries by their ids; a person's own ones stand in the place of the shipped ones. */
export type Catalog = ReadonlyMap<string, Gotcha>;

export function catalogOf({ all }: Pick<Gotchas, 'all'>): Catalog {
  return new Map(all.map(({ gotcha }) => [gotcha.id, gotcha]));
}

/** What an alert says. Texts of a box may be in it: hostile. */
export interface AlertWords {
  readonly title: string;
  /** Where there is no room for the headline. */
  readonly short: string;
  /** One sentence with the numbers that matter. */
  readonly headline: string;
  /** What it means. */
  readonly means: string;
  /** What to do, in this order. */
  readonly fix: readonly string[];
  /** Commands that only read, to see on the box what the rule saw. */
  readonly commands: readonly string[];
  /** What could not be looked at and might change the picture. */
  readonly caveat: string | null;
}

/** What a rule has to say, before it is put into words. */
export interface Filling {
  readonly says: Says;
  readonly caveat: Phrase | string | null;
}

/** A step with the entry that it is from; null: it is in no entry's list. */
export interface Step {
  readonly step: string;
  readonly gotcha: string | null;
}

/** The box may say something of any length. */
const MAX_WORD_CHARS = 400;

/** Rules that nvidia.md does not number are called by a word. */
export function entryIdOf(id: AlertId): string {
  return id.toUpperCase();
}

export function titleOf(catalog: Catalog, id: AlertId): string {
  return catalog.get(entryIdOf(id))?.title ?? id;
}

/**
 * The one place where a finding is put into words. An entry that is missing or lacks a sentence, as a person's own may, costs the
 * sentence and never the alert; a name that nobody gives stays as it is written.
 */
export function alertWords(catalog: Catalog, id: AlertId, { says, caveat }: Filling): AlertWords {
  const entry = catalog.get(entryIdOf(id));
  const title = titleOf(catalog, id);
  const variant = variantOf(entry, says.variant);
  const fill = (text: string): string =>
    excerpt(filled(text, says.values, entry).trim(), MAX_WORD_CHARS);
  return {
    title,
    short: variant?.short ?? entry?.alert?.short ?? id,
    headline: variant === null ? `${title}.` : fill(variant.headline),
    means:
      (variant?.means ?? null) === null
        ? (entry?.cause ?? 'The handbook has no entry that explains it.')
        : fill(variant?.means ?? ''),
    fix: alertSteps(catalog, id, says).map(({ step }) => step),
    commands: entry?.alert?.commands ?? [],
    caveat: caveat === null ? null : excerpt(wordsOf(caveat, entry), MAX_WORD_CHARS),
  };
}

/** What to do about what a rule saw. */
export function alertSteps(
  catalog: Catalog,
  id: AlertId,
  { variant, values, also }: Says,
): readonly Step[] {
  if (also !== undefined) {
    const nearer = catalog.get(entryIdOf(also))?.fix ?? [];
    return [
      ...nearer.map((step): Step => ({ step, gotcha: entryIdOf(also) })),
      ...alertSteps(catalog, id, { variant, values }),
    ];
  }
  const entry = catalog.get(entryIdOf(id));
  const named = variantOf(entry, variant)?.fix ?? null;
  const all = (entry?.fix ?? []).map((step): Step => ({ step, gotcha: entryIdOf(id) }));
  if (named === null) return all;
  const steps = named.flatMap((each): readonly Step[] => {
    if (typeof each === 'string') return [{ step: filled(each, values, entry), gotcha: null }];
    const [of, number] = typeof each === 'number' ? [entryIdOf(id), each] : [each.of, each.step];
    const step = catalog.get(of)?.fix[number - 1];
    return step === undefined ? [] : [{ step, gotcha: of }];
  });
  return steps.length === 0 ? all : steps;
}

/** Words of an entry that stand alone, by their name; null: the entry is missing, or a person's own has no such words. */
export function phraseOf<Id extends keyof typeof phrases>(
  catalog: Catalog,
  id: Id,
  name: keyof (typeof phrases)[Id] & string,
): string | null {
  const known = catalog.get(entryIdOf(id))?.alert?.phrases ?? {};
  return Object.hasOwn(known, name) ? (known[name] ?? null) : null;
}

/** A report of the rules as it is told to people. */
export function tellFindings<Report extends JudgedBox>(
  report: Report,
  catalog: Catalog,
): Omit<Report, 'findings' | 'unknown'> & Pick<BoxFindings, 'findings' | 'unknown'> {
  return {
    ...report,
    findings: report.findings.map((each) => tell(each, catalog)),
    unknown: report.unknown.map((each) => ({ ...each, title: titleOf(catalog, each.detector) })),
  };
}

function tell({ says, caveat, ...rest }: Concluded, catalog: Catalog): Finding {
  return { ...rest, ...alertWords(catalog, rest.detector, { says, caveat }) };
}

function variantOf(entry: Gotcha | undefined, name: string): AlertVariant | null {
  const variants = entry?.alert?.says ?? {};
  return Object.hasOwn(variants, name) ? (variants[name] ?? null) : null;
}

/** Once over the text: what stands in for a name is not looked at again. */
function filled(text: string, values: Values, entry: Gotcha | undefined): string {
  return text.replace(/\{([a-z][A-Za-z]*)\}/g, (written, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value === undefined ? written : wordsOf(value, entry);
  });
}

function wordsOf(value: Value, entry: Gotcha | undefined): string {
  if (typeof value !== 'object') return String(value);
  if (isList(value)) return inWords(value.map((each) => wordsOf(each, entry)));
  const known = entry?.alert?.phrases ?? {};
  const text = Object.hasOwn(known, value.phrase) ? known[value.phrase] : undefined;
  return text === undefined ? value.phrase : filled(text, value.values, entry);
}

function inWords(list: readonly string[]): string {
  const last = list.at(-1) ?? '';
  return list.length < 2 ? last : `${list.slice(0, -1).join(', ')} and ${last}`;
}
