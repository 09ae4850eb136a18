import { useId, useState } from 'react';
import {
  sourceId,
  type MetricFileChange,
  type MetricFileKind,
  type MetricFiles,
} from '../../../../../shared/runs/metric-files/metric-file.ts';
import type { Problem } from '../../../../../shared/problem.ts';
import { plainLine } from '../../../../../shared/questions/hostile-text.ts';
import { call } from '../../../../state/bridge.ts';
import type { LogOf } from '../../../../state/launched-runs.ts';
import { formatBytes } from '../../../../ui/format.ts';
import { Refusal } from '../../../../ui/problem-note.tsx';
import select from '../../../../ui/select.module.css';
import styles from './metrics.module.css';

const KIND_WORDS: Readonly<Record<MetricFileKind, string>> = {
  tensorboard: 'TensorBoard',
  csv: 'CSV',
  jsonl: 'JSON lines',
};
const LOG = '';

interface SourceChoiceProps {
  readonly boxId: string;
  readonly log: LogOf;
  readonly files: MetricFiles;
}

/** Where the figures come from: the log, or a file in the results folder; nothing where the log is all there is. */
export function SourceChoice({ boxId, log, files: { sources, source } }: SourceChoiceProps) {
  const id = useId();
  const [refusal, setRefusal] = useState<Problem | null>(null);
  if (sources.length === 0) return null;
  async function choose(chosen: string): Promise<void> {
    const answer = await call('runs:choose-metrics', {
      boxId,
      id: log.runId,
      cell: log.cell ?? null,
      source: chosen === LOG ? null : chosen,
    });
    setRefusal(answer.ok ? null : answer.error);
  }
  return (
    <>
      <div className={styles['source']}>
        <label htmlFor={id}>Figures from</label>
        <select
          className={select['select']}
          id={id}
          value={source ?? LOG}
          onChange={({ target }) => void choose(target.value)}
        >
          <option value={LOG}>the log</option>
          {sources.map((each) => (
            <option key={sourceId(each)} value={sourceId(each)}>
              {each.path === '' ? 'the results folder' : plainLine(each.path, 120)} (
              {KIND_WORDS[each.kind]}, {formatBytes(each.bytes)})
            </option>
          ))}
        </select>
      </div>
      <Refusal problem={refusal} />
    </>
  );
}

const CHANGE_WORDS: Readonly<Record<MetricFileChange, string>> = {
  renamed:
    'The file was renamed on the box and read to its end; the one that began under its name follows in these curves.',
  'begun-anew':
    'The file became shorter, was replaced or was removed: what was read of it before is not in these curves.',
};

/** What of the file is not in the curves, and what became of it meanwhile. */
export function fileGaps({ reading }: MetricFiles): readonly string[] {
  if (reading === null) return [];
  const { read, bytes, change, isCut, damagedAt, problem } = reading;
  return [
    ...(change !== null ? [CHANGE_WORDS[change]] : []),
    ...(problem !== null ? [`${problem.message} ${problem.nextStep}`] : []),
    ...(damagedAt !== null
      ? [`The file is damaged after ${formatBytes(damagedAt)}: what comes then is not read.`]
      : []),
    ...(isCut ? [`Only its first ${formatBytes(read)} of ${formatBytes(bytes)} are read.`] : []),
  ];
}
