import type { Blind } from '../../shared/detectors/box-findings.ts';
import type { DetectorId } from '../../shared/detectors/finding.ts';
import { tellFindings } from '../../shared/detectors/alert-words.ts';
import type { Command } from './command.ts';
import { catalogFor } from './gotchas-common.ts';
import { linesOf } from './findings-text.ts';
import { judgeRecorded, recordedKindOf, type RecordedReport } from './recorded-box.ts';
import { counted } from './table.ts';
import { readWhole } from './text-input.ts';

export const detect: Command = {
  name: 'detect',
  summary: 'runs the detectors over what was recorded of one box',
  operands: ['<file|->…'],
  flags: {},
  details: [
    'Takes a dmon stream, answers of --query-gpu, --query-compute-apps, -q, -q -x, the table, the list and a kernel log,',
    'in any order, all of one box.',
    'What was recorded is taken to go on like that for 15 minutes, so that every rule has the time it wants.',
    'Exit code 1: something was found, or a line could not be read.',
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
    const report = tellFindings(judgeRecorded(files), await catalogFor(context));
    if (isJson) {
      const kinds = files.map(({ file, kind }) => ({ file, kind }));
      const { findings, unknown, recordedS, judgedS, unreadableCount } = report;
      await out.json({ files: kinds, recordedS, judgedS, findings, unknown, unreadableCount });
    } else await out.lines(describe(report));
    return report.findings.length + report.unreadableCount === 0 ? 0 : 1;
  },
};

/** A text of the cards says nothing of all that a patrol looks at: that is one line. */
function byReason(
  unknown: readonly Blind[],
): readonly (readonly [string, readonly DetectorId[]])[] {
  const reasons = new Map<string, DetectorId[]>();
  for (const { detector, because } of unknown) {
    reasons.set(because, [...(reasons.get(because) ?? []), detector]);
  }
  return [...reasons];
}

type Detected = ReturnType<typeof tellFindings<RecordedReport>>;

function describe({ findings, unknown, unreadableCount }: Detected): readonly string[] {
  return [
    findings.length === 0 ? 'Nothing found.' : `Found: ${counted(findings.length, 'finding')}`,
    ...findings.flatMap(linesOf),
    ...(unknown.length === 0 ? [] : ['', 'Could not be judged:']),
    ...byReason(unknown).map(([because, ids]) => `  ${ids.join(', ')}: ${because}`),
    ...(unreadableCount === 0 ? [] : ['', `Unreadable lines: ${unreadableCount}`]),
  ];
}
