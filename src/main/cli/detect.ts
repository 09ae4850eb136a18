import type { Blind } from '../../shared/detectors/box-findings.ts';
import type { Command } from './command.ts';
import { catalogFor } from './gotchas-common.ts';
import { linesOf, pastLines, silentLines, tellRecorded, unjudgedWords } from './findings-text.ts';
import { judgeRecorded, recordedKindOf, type RecordedReport } from './recorded-box.ts';
import { counted } from './table.ts';
import { readWhole } from './text-input.ts';

export const detect: Command = {
  name: 'detect',
  summary: 'runs the detectors over what was recorded of one box',
  operands: ['<file|->…'],
  flags: {},
  details: [
    'Takes a dmon stream, answers of --query-gpu, --query-compute-apps, -q, -q -x, the table, the list, a kernel log and',
    'df, in any order, all of one box.',
    'A rule that wants more time than was recorded cannot judge, and says so. What was so and was over before the end is',
    'told with its time.',
    'Exit code 1: something was found, at the end or before, a card did not report, nothing was reported that could be judged,',
    'or a line could not be read.',
  ],
  async run({ operands, isJson }, { out, ...context }) {
    const files = [];
    for (const file of operands) {
      const text = await readWhole(file, context);
      if (!text.ok) return { refused: text.error };
      const kind = recordedKindOf(text.value);
      if (kind === null) {
        return {
          refused: `What ${file} is cannot be told from its words, or it is not read here.`,
        };
      }
      files.push({ file, kind, text: text.value });
    }
    const report = tellRecorded(judgeRecorded(files), await catalogFor(context));
    if (isJson) {
      const kinds = files.map(({ file, kind }) => ({ file, kind }));
      const { recordedS, ruleCount, tooShort, unreadableCount, ...rest } = report;
      const { findings, past, silent, unknown } = rest;
      const told = { findings, past, silent, unknown, unreadableCount };
      await out.json({ files: kinds, recordedS, ruleCount, tooShort, ...told });
    } else await out.lines(describe(report));
    const { findings, past, silent, unreadableCount, isUntold } = report;
    const isQuiet = findings.length + past.length + silent.length + unreadableCount === 0;
    return isQuiet && !isUntold ? 0 : 1;
  },
};

/** A text of the cards says nothing of all that a check of the box sees: that is one reason. */
function byReason(unknown: readonly Blind[]): readonly (readonly [string, readonly Blind[]])[] {
  const reasons = new Map<string, Blind[]>();
  for (const each of unknown) {
    reasons.set(each.because, [...(reasons.get(each.because) ?? []), each]);
  }
  return [...reasons];
}

type Told = ReturnType<typeof tellRecorded<RecordedReport>>;

/** A rule that could not look is told in the same breath: nothing found by it is no all-clear. */
function headWords(report: Told): string {
  const { findings, past, silent, isUntold } = report;
  if (findings.length > 0) return `Found: ${counted(findings.length, 'finding')}`;
  if (isUntold) return 'Nothing was reported that could be judged.';
  const nothing =
    silent.length > 0
      ? 'Nothing found in what was reported.'
      : past.length > 0
        ? 'Nothing found at the end.'
        : 'Nothing found.';
  return [nothing, ...unjudgedWords(report, 'see below')].join(' ');
}

function describe(report: Told): readonly string[] {
  const { findings, past, silent, unknown, unreadableCount } = report;
  return [
    headWords(report),
    ...findings.flatMap(linesOf),
    ...pastLines({ past }),
    ...silentLines({ silent }),
    ...(unknown.length === 0 ? [] : ['', 'Could not be judged:']),
    ...byReason(unknown).flatMap(([because, checks]) => [
      `  ${because}:`,
      ...checks.map(({ title, detector }) => `    ${title} (${detector})`),
    ]),
    ...(unreadableCount === 0 ? [] : ['', `Unreadable lines: ${unreadableCount}`]),
  ];
}
