import { useId } from 'react';
import { showHidden } from '../../../shared/terminal/visible-text.ts';
import type { GpuHolder, HoldersLook } from '../../../shared/telemetry/gpu-holders.ts';
import { UNKNOWN } from '../../ui/format.ts';
import { ageWords, holderNotes, parentWords, stateWords } from './process-words.ts';
import styles from './processes.module.css';

interface HolderListProps {
  readonly look: Extract<HoldersLook, { kind: 'known' }>;
  readonly chosen: ReadonlySet<number>;
  readonly onChange: (chosen: ReadonlySet<number>) => void;
}

/** Nothing is chosen at first, and what must not be ended cannot be. */
export function HolderList({ look, chosen, onChange }: HolderListProps) {
  const { holders, incomplete, way } = look;
  const source = way === 'proc' ? 'the process table' : way;
  return (
    <>
      {holders.length === 0 && (
        <p className={styles['facts']}>
          No process of this box has a GPU open, as far as {source} shows. Memory in use is then
          held by another container or the host, and cannot be freed from here.
        </p>
      )}
      {holders.length > 0 && (
        <div className={styles['scroll']} role="group" aria-label="Processes that have a GPU open">
          {holders.map((holder) => (
            <Holder
              key={holder.pid}
              holder={holder}
              gpus={gpuWords(holder, look)}
              isChosen={chosen.has(holder.pid)}
              onChange={(isChosen) => onChange(withOne(chosen, holder.pid, isChosen))}
            />
          ))}
        </div>
      )}
      {incomplete !== null && <p className={styles['facts']}>{incomplete}</p>}
    </>
  );
}

interface HolderProps {
  readonly holder: GpuHolder;
  readonly gpus: string;
  readonly isChosen: boolean;
  readonly onChange: (isChosen: boolean) => void;
}

function Holder({ holder, gpus, isChosen, onChange }: HolderProps) {
  const id = useId();
  const { pid, user, command, ageS, state, isListed, guard } = holder;
  const listed =
    isListed === null ? 'listing unknown' : isListed ? 'listed by nvidia-smi' : 'not listed';
  return (
    <div className={styles['holder']}>
      <input
        id={id}
        type="checkbox"
        checked={isChosen}
        disabled={guard !== null}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label htmlFor={id}>
        <b className="mono">{pid}</b> {gpus} · {user === null ? UNKNOWN : showHidden(user)} ·{' '}
        {ageWords(ageS)} · {stateWords(state)} · {listed}
      </label>
      <span className={`${styles['line'] ?? ''} mono selectable`}>
        {command === null ? 'command unknown' : showHidden(command)}
      </span>
      <span className={`${styles['line'] ?? ''} ${styles['muted'] ?? ''}`}>
        {parentWords(holder)}
      </span>
      {holderNotes(holder).map((note) => (
        <span key={note} className={`${styles['line'] ?? ''} ${styles['warn'] ?? ''}`}>
          {note}
        </span>
      ))}
    </div>
  );
}

/** By index where the box tells which node leads to which card; the number of a node need not be the index. */
function gpuWords({ gpus, nodes }: GpuHolder, { cards }: HoldersLook): string {
  const indexes = gpus.flatMap((uuid) => cards.find((card) => card.uuid === uuid)?.index ?? []);
  return indexes.length === nodes.length
    ? indexes.map((index) => `GPU ${index}`).join(', ')
    : nodes.map((node) => `/dev/nvidia${node}`).join(', ');
}

function withOne(chosen: ReadonlySet<number>, pid: number, isChosen: boolean): ReadonlySet<number> {
  const next = new Set(chosen);
  if (isChosen) next.add(pid);
  else next.delete(pid);
  return next;
}
