import { markdownTable } from '../../shared/markdown-table.ts';
import { formatPrice, type StorageRate } from '../../shared/profiles/price.ts';
import type { Profile, YesNo } from '../../shared/profiles/profile.ts';
import { sourceLink, sourcesOf } from '../../shared/profiles/source-link.ts';
import { endVerbs, noEnds, restVerbs, type EndVerb } from '../../shared/teardown/end-verb.ts';
import { effectsOf, type VerbEffects } from '../../shared/teardown/verb-effects.ts';

/** docs/verbs.md, in Markdown: what each verb of each platform that ends a box, or seems to, does to data and money. */
export function verbsPage(profiles: readonly Profile[]): string {
  return [
    '# Stop vs terminate',
    '',
    'Written by `npm run -s cli -- profiles verbs --write` from `profiles/`; a test fails when it is not current. "Not known" is what the sources',
    'do not say, and is neither kept nor free. A call that a provider accepted proves nothing (RP14, VAST15, LAM14): each verb is over once it is',
    '[confirmed](teardown.md).',
    ...profiles.flatMap(platformLines),
    '',
  ].join('\n');
}

function platformLines(profile: Profile): readonly string[] {
  return [
    '',
    `## ${profile.name}`,
    '',
    ...markdownTable(
      ['verb', 'deletes', 'stays', 'bill for the machine', 'billed afterwards', 'begins', 'how'],
      endVerbs(profile).map((verb) => verbCells(effectsOf(profile, verb), profile)),
    ),
    ...restVerbs(profile).flatMap((verb) => ['', restWords(verb)]),
    ...noEnds(profile).flatMap((verb) => ['', seemingWords(verb)]),
  ];
}

function verbCells({ verb, tiers, clocks }: VerbEffects, profile: Profile): readonly string[] {
  const goes = tiers.filter(({ survives }) => survives === false);
  const stays = tiers.filter(({ survives }) => survives !== false);
  return [
    `${verb.verb}${entries(verb.takes, verb.later, verb.goesOn)}`,
    listed([
      ...goes.map(({ tier }) => tier.name),
      ...(goes.length === 0 ? [verb.deletes ?? NOT_KNOWN] : []),
    ]),
    listed(stays.map(({ tier, survives }) => `${tier.name}${survivalWords(survives)}`)),
    billWords(verb.stopsCompute),
    listed([
      ...stays.flatMap(({ tier, rate }) =>
        rate === 'free' ? [] : [`${tier.name}: ${rateWords(rate)}`],
      ),
      ...verb.leaves.map(({ what, rate }) => `${what}: ${rateWords(rate)}`),
    ]),
    listed(
      clocks.map(({ after, consequence }) => (after === null ? '' : `${after}: `) + consequence),
    ),
    [verb.how ?? NOT_KNOWN, ...(verb.note === null ? [] : [verb.note]), factWords(verb, profile)]
      .map((part) => escaped(part.replace(/\.$/, '')))
      .join('. '),
  ];
}

const seemingWords = ({ verb, note, goesOn }: EndVerb): string =>
  `**No end: ${verb}**${entries(goesOn)}. ${note ?? ''}`;

const restWords = ({ verb, deletes, how, note }: EndVerb): string =>
  `**Ends the rest: ${verb}.** Deletes ${[deletes ?? NOT_KNOWN, how, note].flatMap((part) => part?.replace(/\.$/, '') ?? []).join('. ')}.`;

/** Month and where to look it up again. */
function factWords({ verified, source }: EndVerb, { sources }: Profile): string {
  const links = sourcesOf(source, sources).flatMap((each) => sourceLink(each) ?? []);
  const [first] = links;
  return `${verified === null ? 'Applies to any machine' : `As of ${verified}`}${first === undefined ? '' : ` ([source](${first}))`}`;
}

const NOT_KNOWN = 'not known';
const escaped = (text: string): string => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const listed = (parts: readonly string[]): string =>
  parts.length === 0 ? '–' : parts.map(escaped).join('; ');

function entries(...ids: readonly (string | null)[]): string {
  const known = ids.filter((id) => id !== null);
  return known.length === 0 ? '' : ` (${known.join(', ')})`;
}

function survivalWords(survives: YesNo): string {
  if (survives === null) return ` (${NOT_KNOWN})`;
  return typeof survives === 'string' ? ` (${survives})` : '';
}

function billWords(stops: YesNo): string {
  if (stops === null) return NOT_KNOWN;
  if (typeof stops === 'string') return stops;
  return stops ? 'ends' : 'goes on';
}

function rateWords(rate: StorageRate): string {
  if (rate === null) return NOT_KNOWN;
  if (rate === 'unpriced') return 'not free, price not known';
  return rate === 'free' ? 'free' : formatPrice(rate);
}
