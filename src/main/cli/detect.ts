import type { Blind } from '../../shared/detectors/box-findings.ts';
import type { Command } from './command.ts';
import { catalogFor } from './gotchas-common.ts';
import { linesOf, pastLines, silentLines, tellRecorded } from './findings-text.ts';
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
      const { findings, past, silent, unknown, recordedS, unreadableCount } = report;
      await out.json({ files: kinds, recordedS, findings, past, silent, unknown, unreadableCount });
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

function describe({
  findings,
  past,
  silent,
  unknown,
  unreadableCount,
  isUntold,
}: ReturnType<typeof tellRecorded<RecordedReport>>): readonly string[] {
  return [
    findings.length > 0
      ? `Found: ${counted(findings.length, 'finding')}`
      : isUntold
        ? 'Nothing was reported that could be judged.'
        : silent.length > 0
          ? 'Nothing found in what was reported.'
          : past.length > 0
            ? 'Nothing found at the end.'
            : 'Nothing found.',
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
