import { useId } from 'react';
import type { BoxMeter } from '../../shared/meter/box-meter.ts';
import type { RunCost } from '../../shared/meter/run-costs.ts';
import { processKey } from '../../shared/runs/process-ref.ts';
import { Age } from '../ui/age.tsx';
import { capital, formatDuration } from '../ui/format.ts';
import { RunSpent } from './cost-figures.tsx';
import styles from './costs.module.css';
import { doubtsOf } from './money-words.ts';
import { progressWords, whenWords } from './run-end-words.ts';

/** What the box has cost since each of its runs began, as a patrol saw them last. */
export function RunCosts({ runs }: Pick<BoxMeter, 'runs'>) {
  const titleId = useId();
  if (runs === null) return null;
  const { seenAtMs, costs, more } = runs;
  return (
    <section className={styles['panel']} aria-labelledby={titleId}>
      <h2 id={titleId}>What its runs have cost</h2>
      {costs.length === 0 ? (
        <p className={styles['hint']}>
          No run was seen at the last check, <Age atMs={seenAtMs} />.
        </p>
      ) : (
        <>
          <dl className={styles['facts']}>
            {costs.map((run) => (
              <Run key={processKey(run)} run={run} seenAtMs={seenAtMs} />
            ))}
          </dl>
          <p className={styles['hint']}>
            The whole box since each began, until it was last seen, <Age atMs={seenAtMs} />.
            {costs.length > 1 && ' Runs that share a box share this money.'}
            {more > 0 && ` ${String(more)} more are not listed.`} An end is estimated only where its
            log counts to one.
          </p>
        </>
      )}
    </section>
  );
}

function Run({ run, seenAtMs }: { readonly run: RunCost; readonly seenAtMs: number }) {
  const { command, pid, sinceMs, spent, holdsGpu, outlook } = run;
  const doubts = spent === null ? [] : doubtsOf(spent);
  return (
    <>
      <dt className={styles['run']} title={command ?? undefined}>
        {command ?? `process ${String(pid)}`}
      </dt>
      <dd>
        <span className="figures">
          <RunSpent run={run} />
        </span>{' '}
        {sinceMs !== null && `in ${formatDuration(Math.max(0, seenAtMs - sinceMs))}`}
        <small>
          {' '}
          process {pid}
          {!holdsGpu && ', no GPU'}
          {doubts.length > 0 && `, and ${doubts.join('; ')}`}
          {outlook !== null && `. ${capital(progressWords(outlook.progress))}`}
          {outlook !== null &&
            outlook.end !== null &&
            `, estimated to end ${whenWords(outlook.end)}`}
        </small>
      </dd>
    </>
  );
}
