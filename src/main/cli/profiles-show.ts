import { judgeFreshness } from '../../shared/profiles/freshness.ts';
import { formatPrice, type StorageRate } from '../../shared/profiles/price.ts';
import type { Profile, YesNo } from '../../shared/profiles/profile.ts';
import type { Command } from './command.ts';
import { maxAgeFor, profilesFor, tellFaults } from './profiles-common.ts';
import { counted, tableLines } from './table.ts';

export const profilesShow: Command = {
  name: 'profiles show',
  summary: 'shows what is known of one platform, with the age of each fact',
  operands: ['<id>'],
  flags: {},
  details: [
    '`profiles table` lists the ids. – means that the sources do not say.',
    'Exit code 1: a profile file cannot be used.',
  ],
  async run({ operands: [id = ''], isJson }, context) {
    const profiles = await profilesFor(context);
    const found = profiles.all.find(({ profile }) => profile.id === id);
    if (found === undefined) {
      const known = profiles.all.map(({ profile }) => profile.id).join(', ');
      return { refused: `there is no profile "${id}". Known: ${known}.` };
    }
    await tellFaults(profiles, context);
    if (isJson) await context.out.json({ origin: found.origin, profile: found.profile });
    else await context.out.lines(describe(found.profile, Date.now(), await maxAgeFor(context)));
    return profiles.faults.length === 0 ? 0 : 1;
  },
};

function describe(profile: Profile, nowMs: number, maxAgeMonths: number): readonly string[] {
  const age = (verified: string | null): string => ageText(verified, nowMs, maxAgeMonths);
  const { billing, spot } = profile;
  return [
    `${profile.name} (${profile.id})`,
    '',
    `Billing ends with: ${billing.stopVerb}. Irreversible: ${said(billing.isIrreversible) ?? 'not known'}. (${age(billing.verified)})`,
    `Spot: ${said(spot.isAvailable) ?? 'not known'}; grace: ${spot.grace ?? 'not known'}. (${age(spot.verified)})`,
    '',
    'Storage: what survives stop, restart and destroy',
    ...tableLines(
      [
        'tier',
        'path',
        'survives a stop',
        'survives destroy',
        'running',
        'stopped',
        'afterwards',
        'verified',
      ],
      profile.storage.map((tier) => [
        tier.name,
        tier.path,
        said(tier.survivesStop),
        said(tier.survivesDestroy),
        rateText(tier.rates.running),
        rateText(tier.rates.stopped),
        rateText(tier.rates.destroyed),
        age(tier.verified),
      ]),
    ),
    '',
    'Stop vs terminate',
    ...tableLines(
      ['verb', 'ends compute billing', 'ends storage billing', 'deletes', 'reversible', 'verified'],
      profile.actions.map((action) => [
        action.verb,
        said(action.stopsCompute),
        said(action.stopsStorage),
        action.deletes,
        said(action.isReversible),
        age(action.verified),
      ]),
    ),
    '',
    'Automatic actions',
    ...tableLines(
      ['when', 'after', 'what happens', 'read it at', 'verified'],
      profile.clocks.map((clock) => [
        clock.trigger,
        clock.after,
        clock.consequence,
        clock.readAt,
        age(clock.verified),
      ]),
    ),
    ...list('Worth knowing', profile.conveniences),
    ...list('Doubts', profile.doubts),
    ...list('Sources', profile.sources),
  ];
}

function list(title: string, texts: readonly string[]): readonly string[] {
  return texts.length === 0 ? [] : ['', title, ...texts.map((text) => `  ${text}`)];
}

function said(value: YesNo): string | null {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value;
}

function rateText(rate: StorageRate): string | null {
  return rate === null || typeof rate === 'string' ? rate : formatPrice(rate);
}

function ageText(verified: string | null, nowMs: number, maxAgeMonths: number): string {
  const freshness = judgeFreshness(verified, nowMs, maxAgeMonths);
  switch (freshness.kind) {
    case 'general':
      return 'applies to any machine';
    case 'future':
      return `${verified ?? ''}, in the future`;
    default:
      return `${verified ?? ''}, ${counted(freshness.months, 'month')} ago${freshness.kind === 'stale' ? ', old' : ''}`;
  }
}
