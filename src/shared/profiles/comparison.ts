import { markdownTable } from '../markdown-table.ts';
import { formatPrice } from './price.ts';
import type { Profile, ProfileAction, YesNo } from './profile.ts';
import { stampsOf } from './stamps.ts';

/** One platform in one line, in the words of its profile. */
export interface ComparisonRow {
  readonly id: string;
  readonly name: string;
  readonly endsBillingWith: string;
  readonly isIrreversible: string;
  readonly stopEndsStorageBilling: string;
  readonly survivesStop: string;
  readonly survivesDestroy: string;
  readonly timers: string;
  readonly spotGrace: string;
  readonly egress: string;
  /** The oldest stamp in the file. */
  readonly verified: string;
}

export const COMPARISON_HEAD: Readonly<Record<keyof ComparisonRow, string>> = {
  id: 'id',
  name: 'platform',
  endsBillingWith: 'ends billing with',
  isIrreversible: 'irreversible',
  stopEndsStorageBilling: 'a stop ends storage billing',
  survivesStop: 'survives a stop',
  survivesDestroy: 'survives destroy',
  timers: 'timers',
  spotGrace: 'spot: grace',
  egress: 'egress is free',
  verified: 'verified',
};

const UNKNOWN = 'not known';
const NONE = 'none';

export function compareProfiles(profiles: readonly Profile[]): readonly ComparisonRow[] {
  return profiles.map((profile) => ({
    id: profile.id,
    name: profile.name,
    endsBillingWith: profile.billing.stopVerb,
    isIrreversible: saidOf(profile.billing.isIrreversible),
    stopEndsStorageBilling: stopOf(profile.actions),
    survivesStop: survivors(profile, 'survivesStop'),
    survivesDestroy: survivors(profile, 'survivesDestroy'),
    timers: timersOf(profile),
    spotGrace: graceOf(profile),
    egress: egressOf(profile),
    verified: oldestStamp(profile),
  }));
}

/** The same as Markdown. */
export function comparisonMarkdown(rows: readonly ComparisonRow[]): readonly string[] {
  const keys = Object.keys(COMPARISON_HEAD) as readonly (keyof ComparisonRow)[];
  return markdownTable(
    keys.map((key) => COMPARISON_HEAD[key]),
    rows.map((row) => keys.map((key) => row[key])),
  );
}

function saidOf(said: YesNo): string {
  if (said === null) return UNKNOWN;
  return typeof said === 'string' ? said : said ? 'yes' : 'no';
}

function stopOf(actions: readonly ProfileAction[]): string {
  const stop = actions.find(({ kind }) => kind === 'stop');
  return stop === undefined ? 'there is no stop' : saidOf(stop.stopsStorage);
}

function survivors({ storage }: Profile, what: 'survivesStop' | 'survivesDestroy'): string {
  const sure = storage.filter((tier) => tier[what] === true).map(({ name }) => name);
  const open = storage
    .filter((tier) => tier[what] !== true && tier[what] !== false)
    .map((tier) => `${tier.name}: ${saidOf(tier[what])}`);
  return [...sure, ...open].join('; ') || (storage.length === 0 ? UNKNOWN : NONE);
}

function timersOf({ clocks }: Profile): string {
  const timers = clocks.filter(({ rule }) => rule.kind === 'after' || rule.kind === 'set');
  const told = timers.map(({ trigger, after }) => `${trigger}: ${after ?? UNKNOWN}`);
  return told.join('; ') || NONE;
}

function egressOf({ egress: { isFree, price } }: Profile): string {
  return price === null ? saidOf(isFree) : `${saidOf(isFree)}, ${formatPrice(price)}`;
}

function graceOf({ spot }: Profile): string {
  if (spot.isAvailable === false) return 'no spot';
  return spot.grace ?? UNKNOWN;
}

function oldestStamp(profile: Profile): string {
  const months = stampsOf(profile).flatMap(({ verified }) => verified ?? []);
  return months.sort()[0] ?? 'applies to any machine';
}
