import { factAges, needsALook, type FactAge } from '../../shared/profiles/freshness.ts';
import { faultSentence } from '../yaml/schema-faults.ts';
import type { Profiles } from '../../shared/profiles/loaded.ts';
import type { Command } from './command.ts';
import { maxAgeFor, profilesFor } from './profiles-common.ts';
import { counted, tableLines } from './table.ts';

interface OldFact extends FactAge {
  readonly platform: string;
}

export const profilesCheck: Command = {
  name: 'profiles check',
  summary: 'looks for facts about platforms that are old, and for profiles that cannot be used',
  operands: [],
  flags: {
    'max-age': {
      value: 'months',
      help: 'a fact of this age is old (as your settings say; 6 months)',
    },
    now: { value: 'YYYY-MM-DD', help: 'as if it were this day' },
  },
  details: [
    'A month counts from its first day. Your own profiles are checked with the shipped ones.',
    'Exit code 1: a fact is old or dated in the future, or a file cannot be used.',
  ],
  async run({ isJson, flags }, context) {
    const asked = readMonths(flags.get('max-age'));
    if (asked === null) return { refused: '--max-age takes whole months, as in --max-age 6.' };
    const nowMs = readDay(flags.get('now'));
    if (nowMs === null) return { refused: '--now takes a day, as in --now 2026-06-30.' };
    const maxAge = asked ?? (await maxAgeFor(context));
    const profiles = await profilesFor(context);
    const facts = profiles.all.flatMap(({ profile }) =>
      factAges(profile, nowMs, maxAge).map((fact): OldFact => ({ ...fact, platform: profile.id })),
    );
    const old = facts.filter(needsALook);
    if (isJson) {
      await context.out.json({
        profiles: profiles.all.length,
        facts: facts.length,
        maxAgeMonths: maxAge,
        old,
        faults: profiles.faults,
      });
    } else await context.out.lines(describe(profiles, facts.length, old, maxAge));
    return old.length + profiles.faults.length === 0 && profiles.all.length > 0 ? 0 : 1;
  },
};

function readMonths(text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  return /^\d{1,3}$/.test(text) && Number(text) > 0 ? Number(text) : null;
}

function readDay(text: string | undefined): number | null {
  if (text === undefined) return Date.now();
  const atMs = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? null : atMs;
}

function describe(
  { all, faults }: Profiles,
  factCount: number,
  old: readonly OldFact[],
  maxAgeMonths: number,
): readonly string[] {
  const found =
    old.length === 0
      ? `none is old, which begins at ${counted(maxAgeMonths, 'month')}`
      : `${counted(old.length, 'fact')} to be looked up again`;
  const head = ['platform', 'fact', 'verified', 'age', 'source'];
  return [
    `${counted(all.length, 'profile')}, ${counted(factCount, 'fact')}: ${found}`,
    ...(old.length === 0 ? [] : ['', ...tableLines(head, old.map(cells))]),
    ...(faults.length === 0
      ? []
      : ['', 'Not used:', ...faults.map((each) => `  ${faultSentence(each)}`)]),
  ];
}

function cells({
  platform,
  label,
  verified,
  source,
  freshness,
}: OldFact): readonly (string | null)[] {
  const age = freshness.kind === 'stale' ? counted(freshness.months, 'month') : 'in the future';
  return [platform, label, verified, age, source === 'sources' ? 'its sources as a whole' : source];
}
