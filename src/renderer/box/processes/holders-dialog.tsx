import { useEffect, useState } from 'react';
import { planRefOf } from '../../../shared/plan/plan.ts';
import type { Problem } from '../../../shared/problem.ts';
import {
  MAX_ENDED_AT_ONCE,
  type EndReport,
  type EndSignal,
  type GpuHolder,
  type HeldCard,
  type ListedHolders,
} from '../../../shared/telemetry/gpu-holders.ts';
import { call } from '../../state/bridge.ts';
import { Elapsed } from '../../ui/age.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogFooter } from '../../ui/dialog.tsx';
import { formatCount, formatGiB } from '../../ui/format.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { Refusal } from '../../ui/problem-note.tsx';
import { EndQuestion } from './end-question.tsx';
import { HolderList } from './holder-list.tsx';
import { outcomeWords } from './process-words.ts';
import styles from './processes.module.css';

type Stage =
  | { readonly kind: 'looking' }
  | {
      readonly kind: 'listed';
      readonly look: ListedHolders | null;
      readonly problem: Problem | null;
    }
  | {
      readonly kind: 'asking';
      readonly look: ListedHolders;
      readonly signal: EndSignal;
      readonly holders: readonly GpuHolder[];
    }
  | {
      readonly kind: 'ending';
      readonly signal: EndSignal;
      readonly count: number;
      readonly sinceMs: number;
    }
  | {
      readonly kind: 'ended';
      readonly before: ListedHolders;
      readonly holders: readonly GpuHolder[];
      readonly report: EndReport;
    };

/** Who holds the GPUs' memory, also those that nvidia-smi leaves out; and the end of those that the person names. */
export function HoldersDialog({
  boxId,
  onClose,
}: {
  readonly boxId: string;
  readonly onClose: () => void;
}) {
  const [stage, setStage] = useState<Stage>({ kind: 'looking' });
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    let isOpen = true;
    void call('gpu-holders:look', { boxId }).then((looked) => {
      if (!isOpen) return;
      setStage({
        kind: 'listed',
        look: looked.ok ? looked.value : null,
        problem: looked.ok ? null : looked.error,
      });
    });
    return () => {
      isOpen = false;
    };
  }, [boxId, asked]);
  const look = (): void => {
    setStage({ kind: 'looking' });
    setAsked(asked + 1);
  };

  const end = async ({ look: before, signal, holders }: Asking): Promise<void> => {
    setStage({ kind: 'ending', signal, count: holders.length, sinceMs: Date.now() });
    const pids = holders.map(({ pid }) => pid);
    const plan = planRefOf(before.plan);
    const ended = await call('gpu-holders:end', { boxId, signal, plan, pids });
    if (ended.ok) setStage({ kind: 'ended', before, holders, report: ended.value });
    else setStage({ kind: 'listed', look: before, problem: ended.error });
  };

  return (
    <Dialog
      title="Who holds GPU memory"
      description="Every process that has a GPU of this box open, also those that nvidia-smi leaves out. Looking changes nothing."
      isWide
      onClose={onClose}
    >
      <div role="status">
        {stage.kind === 'looking' && (
          <p className={styles['facts']}>Asking the box who has /dev/nvidia* open…</p>
        )}
        {stage.kind === 'ending' && (
          <p className={styles['facts']}>
            Waiting for {formatCount(stage.count, 'process', 'processes')} to end…{' '}
            <Elapsed sinceMs={stage.sinceMs} />
          </p>
        )}
      </div>
      {stage.kind === 'listed' && (
        <Listed
          look={stage.look}
          problem={stage.problem}
          onLook={look}
          onEnd={(of, holders) => setStage({ kind: 'asking', look: of, signal: 'TERM', holders })}
          onClose={onClose}
        />
      )}
      {stage.kind === 'asking' && (
        <EndQuestion
          signal={stage.signal}
          holders={stage.holders}
          onBack={() => setStage({ kind: 'listed', look: stage.look, problem: null })}
          onEnd={() => void end(stage)}
        />
      )}
      {stage.kind === 'ended' && (
        <Ended
          before={stage.before}
          report={stage.report}
          onLook={look}
          onKill={(after) =>
            setStage({
              kind: 'asking',
              look: after,
              signal: 'KILL',
              holders: stage.holders.filter(({ pid }) => isLeft(stage.report, pid)),
            })
          }
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

type Asking = Extract<Stage, { kind: 'asking' }>;

interface ListedProps {
  readonly look: ListedHolders | null;
  readonly problem: Problem | null;
  readonly onLook: () => void;
  readonly onEnd: (look: ListedHolders, holders: readonly GpuHolder[]) => void;
  readonly onClose: () => void;
}

function Listed({ look, problem, onLook, onEnd, onClose }: ListedProps) {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const holders = look?.kind === 'known' ? look.holders : [];
  const named = holders.filter(({ pid, guard }) => chosen.has(pid) && guard === null);
  return (
    <>
      <Refusal problem={problem} />
      {look !== null && (
        <>
          <p className={styles['facts']}>{describeCards(look.cards)}</p>
          {look.kind === 'unknown' && (
            <p className={styles['facts']}>Who holds it is unknown: {look.because}.</p>
          )}
          {look.kind === 'known' && <HolderList look={look} chosen={chosen} onChange={setChosen} />}
        </>
      )}
      <DialogFooter>
        <Button autoFocus onClick={onClose}>
          Close
        </Button>
        <Button onClick={onLook}>Check again</Button>
        {look !== null && holders.length > 0 && (
          <Button
            look="danger"
            disabled={named.length === 0 || named.length > MAX_ENDED_AT_ONCE}
            onClick={() => onEnd(look, named)}
          >
            {named.length === 0
              ? 'End…'
              : `End ${formatCount(named.length, 'process', 'processes')}…`}
          </Button>
        )}
      </DialogFooter>
    </>
  );
}

interface EndedProps {
  readonly before: ListedHolders;
  readonly report: EndReport;
  readonly onLook: () => void;
  readonly onKill: (after: ListedHolders) => void;
  readonly onClose: () => void;
}

/** What became of each, as the box says after it was asked again. */
function Ended({ before, report, onLook, onKill, onClose }: EndedProps) {
  const { signal, processes, after } = report;
  // Without a look after it, nobody knows what is left: then it is looked again first.
  const left = signal === 'TERM' && processes.some(({ pid }) => isLeft(report, pid)) ? after : null;
  return (
    <>
      <ul className={styles['outcomes']} role="status">
        {processes.map((each) => (
          <li key={each.pid}>
            <Glyph tone={each.outcome === 'ended' || each.outcome === 'gone' ? 'ok' : 'warn'} />
            <span>
              <b className="mono">{each.pid}</b> {outcomeWords(each, signal)}
            </span>
          </li>
        ))}
      </ul>
      <p className={styles['facts']}>{describeFreed(before.cards, after?.cards ?? null)}</p>
      <DialogFooter>
        <Button autoFocus onClick={onClose}>
          Close
        </Button>
        <Button onClick={onLook}>Check again</Button>
        {left !== null && (
          <Button look="danger" onClick={() => onKill(left)}>
            End at once (KILL)…
          </Button>
        )}
      </DialogFooter>
    </>
  );
}

/** One that waits inside the driver hears no signal; it is not offered a second one. */
function isLeft({ processes }: EndReport, pid: number): boolean {
  return processes.some(
    (each) => each.pid === pid && each.outcome === 'left' && each.state !== 'D',
  );
}

function describeCards(cards: readonly HeldCard[]): string {
  if (cards.length === 0) return 'How much memory is in use is unknown: nvidia-smi did not say.';
  return cards
    .map(({ index, memoryUsedMiB }) => `GPU ${index}: ${gibibytes(memoryUsedMiB)} in use`)
    .join(' · ');
}

/** Memory is read back too: an end that freed nothing is no success. */
function describeFreed(before: readonly HeldCard[], after: readonly HeldCard[] | null): string {
  if (after === null || after.length === 0)
    return 'Whether the memory is free now is unknown: the box did not answer. Check again.';
  return after
    .map((card) => {
      const was = before.find(({ uuid }) => uuid === card.uuid)?.memoryUsedMiB ?? null;
      return `GPU ${card.index}: ${gibibytes(was)} before, ${gibibytes(card.memoryUsedMiB)} now`;
    })
    .join(' · ');
}

function gibibytes(mib: number | null): string {
  return mib === null ? 'unknown' : `${formatGiB(mib)} GiB`;
}
