import { memo, useId, useState } from 'react';
import type { CpuLook } from '../../../shared/telemetry/cpu-look.ts';
import type {
  BoxGpuFacts,
  GpuDetails,
  GpuFactsState,
} from '../../../shared/telemetry/gpu-facts.ts';
import { hiddenMemoryMiB, processesOf } from '../../../shared/telemetry/hidden-memory.ts';
import type { Feed } from '../../state/stream-client.ts';
import { Button } from '../../ui/button.tsx';
import { useNow } from '../../ui/clock.ts';
import { formatAge, formatGiB } from '../../ui/format.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { cpuWords, isHeldBack } from './cpu-words.ts';
import { HoldersDialog } from './holders-dialog.tsx';
import { ProcessTable, type ProcessRow } from './process-table.tsx';
import styles from './processes.module.css';

/** The slow probe looks every 30 s: two missed looks are worth a word. */
const STALE_AFTER_MS = 90_000;

interface ProcessesPanelProps {
  readonly boxId: string;
  readonly feed: Feed<GpuFactsState>;
  /** Null: all of them. */
  readonly gpu: number | null;
}

/** What runs on the GPUs of a box. Drawn anew when the slow probe has looked, not with each sample. */
export const ProcessesPanel = memo(function ProcessesPanel({
  boxId,
  feed,
  gpu,
}: ProcessesPanelProps) {
  const titleId = useId();
  const [isAsking, setIsAsking] = useState(false);
  const facts = feed.kind === 'live' ? feed.state.facts : null;
  const problem = feed.kind === 'live' ? feed.state.problem : null;
  return (
    <section className={styles['panel']} aria-labelledby={titleId}>
      <div className={styles['head']}>
        <h2 id={titleId}>{gpu === null ? 'Processes' : `GPU ${gpu} processes`}</h2>
        {facts !== null && <Seen atMs={facts.atMs} />}
        {facts !== null && facts.cpu !== null && <CpuLine cpu={facts.cpu} />}
        <Button
          size="small"
          look="quiet"
          title="Lists every process that has a GPU open, also those that nvidia-smi leaves out. Changes nothing."
          onClick={() => setIsAsking(true)}
        >
          Find what holds VRAM…
        </Button>
      </div>
      {facts === null ? (
        <p className={styles['muted']}>
          {problem === null
            ? 'Waiting for the first check: processes are checked every 30 s.'
            : `Unknown: ${problem.problem.message}`}
        </p>
      ) : (
        <Known facts={facts} gpu={gpu} onAsk={() => setIsAsking(true)} />
      )}
      {isAsking && <HoldersDialog boxId={boxId} onClose={() => setIsAsking(false)} />}
    </section>
  );
});

function Seen({ atMs }: { readonly atMs: number }) {
  const ageMs = useNow() - atMs;
  const isStale = ageMs > STALE_AFTER_MS;
  return (
    <span className={isStale ? styles['stale'] : styles['muted']}>
      seen {formatAge(ageMs)}
      {isStale && ', may have changed since'}
    </span>
  );
}

/** What the whole container does with its CPUs, beside the processes that wait for them. */
function CpuLine({ cpu }: { readonly cpu: CpuLook }) {
  return (
    <span
      className={isHeldBack(cpu) ? styles['stale'] : styles['muted']}
      title="Of the whole container, over the last half minute. Throttled: the share of the scheduler’s periods in which it had to stop because its CPU limit was used up."
    >
      {cpuWords(cpu)}
    </span>
  );
}

interface KnownProps {
  readonly facts: BoxGpuFacts;
  readonly gpu: number | null;
  readonly onAsk: () => void;
}

function Known({ facts, gpu, onAsk }: KnownProps) {
  const { processes } = facts;
  if (processes.kind === 'unknown') {
    return <p className={styles['muted']}>Unknown: {processes.because}.</p>;
  }
  const cards = facts.gpus.filter(({ index }) => gpu === null || index === gpu);
  const rows = [
    ...cards.flatMap((card): readonly ProcessRow[] =>
      processesOf(card, processes.processes).map((process) => ({ index: card.index, process })),
    ),
    // A process on a card that the look did not list still is one.
    ...(gpu === null ? strays(facts, processes.processes) : []),
  ];
  return (
    <>
      {rows.length > 0 && <ProcessTable rows={rows} isOfOneGpu={gpu !== null} />}
      {rows.length === 0 && (
        <p className={styles['muted']}>
          nvidia-smi lists no process on {gpu === null ? 'any GPU' : `GPU ${gpu}`} of this box.
        </p>
      )}
      {cards.map((card) => (
        <Hidden key={card.uuid} card={card} facts={facts} onAsk={onAsk} />
      ))}
    </>
  );
}

function strays(
  { gpus }: BoxGpuFacts,
  processes: readonly ProcessRow['process'][],
): readonly ProcessRow[] {
  const known = new Set(gpus.flatMap((card) => processesOf(card, processes)));
  return processes
    .filter((process) => !known.has(process))
    .map((process) => ({ index: null, process }));
}

interface HiddenProps {
  readonly card: GpuDetails;
  readonly facts: BoxGpuFacts;
  readonly onAsk: () => void;
}

/** Memory without an owner (U11) is said, never left out. */
function Hidden({ card, facts, onAsk }: HiddenProps) {
  const hiddenMiB = hiddenMemoryMiB(card, facts);
  if (hiddenMiB === null) return null;
  const isContainer = facts.machine.isContainer === true;
  return (
    <div className={styles['hidden']}>
      <Glyph tone={isContainer ? 'info' : 'warn'} />
      <p>
        GPU {card.index} holds {formatGiB(hiddenMiB)} GiB, and nvidia-smi lists nobody.{' '}
        {isContainer
          ? 'In a container that is usual: other containers are invisible from inside.'
          : 'A leftover process may still hold it.'}
      </p>
      <Button size="small" onClick={onAsk}>
        Find holders…
      </Button>
    </div>
  );
}
