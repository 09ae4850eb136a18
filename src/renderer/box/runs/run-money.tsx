import { isSameProcess } from '../../../shared/runs/process-ref.ts';
import type { SeenRun } from '../../../shared/patrol/patrol-state.ts';
import { progressWords, whenWords } from '../../costs/run-end-words.ts';
import { RunSpent } from '../../costs/cost-figures.tsx';
import { selectMeter, useMeter } from '../../state/feeds.ts';
import { useClock } from '../../ui/clock.ts';
import { capital, formatDuration } from '../../ui/format.ts';
import { Fact } from './run-fact.tsx';

/** How far a run is, when it would end, and what the box has cost since it began: as the Costs page has it. */
export function RunMoney({ boxId, run }: { readonly boxId: string; readonly run: SeenRun }) {
  const meter = useMeter(selectMeter(boxId));
  const known = meter?.runs?.costs.find((each) => isSameProcess(each, run));
  const end = known?.outlook?.end ?? null;
  const left = useClock((nowMs) =>
    end === null || end.toMs <= nowMs ? null : `about ${formatDuration(end.toMs - nowMs)} left`,
  );
  if (known === undefined) return null;
  const { outlook, spent } = known;
  return (
    <>
      {outlook !== null && (
        <Fact name="Progress">
          {capital(progressWords(outlook.progress))}
          {left !== null && end !== null && (
            <span title={`Estimated from its log: ends ${whenWords(end)}`}>{` · ${left}`}</span>
          )}
        </Fact>
      )}
      {spent !== null && (
        <Fact name="Cost">
          <span title="The whole box since this run began. Runs that share a box share this money.">
            <RunSpent run={known} />
          </span>
        </Fact>
      )}
    </>
  );
}
