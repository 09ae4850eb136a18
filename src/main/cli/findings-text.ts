import { tellFindings, type Catalog } from '../../shared/detectors/alert-words.ts';
import type { Blind, JudgedBox } from '../../shared/detectors/box-findings.ts';
import { durationWords } from '../../shared/duration-words.ts';
import type { Finding } from '../../shared/detectors/finding.ts';
import { exactly, type TimedReport } from './recorded-time.ts';
import type { SilentCard } from './silent-cards.ts';
import { counted } from './table.ts';

/** What `read` and `detect` say of a box's health, in the same words. */
export interface FindingsInJson {
  readonly findings: readonly Finding[];
  /** What was so in the middle of a recording, and was not seen at its end. */
  readonly past: readonly Finding[];
  /** Cards that told figures and then told none. */
  readonly silent: readonly SilentCard[];
  /** Rules that these texts cannot answer, and why: no all-clear. */
  readonly unknown: readonly Blind[];
  readonly recordedS: TimedReport['recordedS'];
  readonly ruleCount: TimedReport['ruleCount'];
  readonly tooShort: TimedReport['tooShort'];
}

type JudgedText = JudgedBox &
  Pick<TimedReport, 'past' | 'silent' | 'recordedS' | 'ruleCount' | 'tooShort'>;

/** A recording's report in words. */
export function tellRecorded<Report extends JudgedText>(report: Report, catalog: Catalog) {
  const { findings: past } = tellFindings({ ...report, findings: report.past }, catalog);
  return { ...tellFindings(report, catalog), past };
}

/** Null: nothing in the text says anything of a box's health. */
export function judgedIn(report: JudgedText | null, catalog: Catalog): FindingsInJson {
  if (report === null) {
    const nothing = { findings: [], past: [], silent: [], unknown: [], tooShort: [] };
    return { ...nothing, recordedS: 0, ruleCount: 0 };
  }
  const { findings, past, silent, unknown, recordedS, ruleCount, tooShort } = tellRecorded(
    report,
    catalog,
  );
  return { findings, past, silent, unknown, recordedS, ruleCount, tooShort };
}

/** That nothing was found, in a text without any trouble; empty where something was, or nothing was judged. */
export function quietLines(judged: FindingsInJson): readonly string[] {
  const { findings, past, silent, ruleCount } = judged;
  if (ruleCount === 0 || findings.length + past.length + silent.length > 0) return [];
  return ['', ['Nothing found.', ...unjudgedWords(judged, '`detect` says why')].join(' ')];
}

/** How many rules could not look, beside words that would else read as an all-clear. */
export function unjudgedWords(
  {
    unknown,
    recordedS,
    ruleCount,
    tooShort,
  }: Pick<FindingsInJson, 'recordedS' | 'ruleCount' | 'tooShort'> & {
    readonly unknown: readonly Pick<Blind, 'detector'>[];
  },
  where: string,
): readonly string[] {
  const blind = new Set(unknown.map(({ detector }) => detector));
  const others = [...blind].filter((id) => !tooShort.includes(id)).length;
  const of = `of ${String(ruleCount)} rules`;
  const length =
    recordedS === 0 ? 'this text shows a moment' : `this one is ${exactly(recordedS * 1000)}`;
  return [
    ...(tooShort.length === 0
      ? []
      : [
          `${String(tooShort.length)} ${of} ${tooShort.length === 1 ? 'needs' : 'need'} a longer recording: ${length}.`,
        ]),
    ...(others === 0
      ? []
      : [
          `${String(others)} ${tooShort.length === 0 ? of : 'more'} could not be judged: ${where}.`,
        ]),
  ];
}

/** The findings of a text that was read for its figures; nothing where nothing was found. */
export function findingLines({
  findings,
  past,
  silent,
}: Pick<FindingsInJson, 'findings' | 'past' | 'silent'>): readonly string[] {
  const found = [`Found: ${counted(findings.length, 'finding')}`, ...findings.flatMap(linesOf)];
  return [
    ...(findings.length === 0 ? [] : ['', ...found]),
    ...pastLines({ past }),
    ...silentLines({ silent }),
  ];
}

export function linesOf({ detector, severity, headline, means, fix }: Finding): readonly string[] {
  return [
    '',
    `${severity}: ${headline} (${detector})`,
    `  ${means}`,
    ...fix.map((step) => `  - ${step}`),
  ];
}

/** What was not seen at the end, with its time from the recording's beginning. */
export function pastLines({ past }: Pick<FindingsInJson, 'past'>): readonly string[] {
  if (past.length === 0) return [];
  return [
    '',
    `Found before its end, and not at it: ${counted(past.length, 'finding')}`,
    ...past.flatMap((each) => [...linesOf(each), `  It was so ${spanOf(each)} of the recording.`]),
  ];
}

/** A card that tells nothing shows no fault, and is not fine. */
export function silentLines({ silent }: Pick<FindingsInJson, 'silent'>): readonly string[] {
  if (silent.length === 0) return [];
  return [
    '',
    'Not reporting, so that nothing is known of that time:',
    ...silent.map(({ gpu, sinceMs, untilMs, rows }) => {
      const end = untilMs === null ? 'its end' : `about ${clockOf(untilMs)}`;
      const span = `from about ${clockOf(sinceMs)} of the recording to ${end}`;
      return `  GPU ${String(gpu)}: ${span}: its ${SILENT_ROWS[rows].what}`;
    }),
    ...(['empty', 'missing'] as const)
      .filter((rows) => silent.some((each) => each.rows === rows))
      .map((rows) => `  - ${SILENT_ROWS[rows].hint}`),
  ];
}

const SILENT_ROWS = {
  empty: {
    what: 'rows hold no figure',
    hint: 'Rows without a figure: a lost card looks like this, and so does one whose MIG was switched on, in columns of load alone. The kernel log can tell.',
  },
  missing: {
    what: 'rows are missing',
    hint: 'Missing rows: a run that asks for other cards only (`-i`) looks like this, and so does a lost card. The kernel log can tell.',
  },
} as const;

function spanOf({ sinceMs, lastSeenMs }: Finding): string {
  return `from about ${clockOf(sinceMs)} to about ${clockOf(lastSeenMs)}`;
}

/** "4 min 5 s": which minute of a recording it was is too coarse to find it there. */
function clockOf(ms: number): string {
  const seconds = Math.floor(ms / 1000) % 60;
  if (ms < 60_000) return `${String(seconds)} s`;
  return seconds === 0 ? durationWords(ms) : `${durationWords(ms)} ${String(seconds)} s`;
}
