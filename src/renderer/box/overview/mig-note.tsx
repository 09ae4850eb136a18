import type { CSSProperties } from 'react';
import type { GpuFactsState, MigPart } from '../../../shared/telemetry/gpu-facts.ts';
import type { Feed } from '../../state/stream-client.ts';
import { Age } from '../../ui/age.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import styles from './mig-note.module.css';
import { migWords, partMemoryWords, partName, sharedWords, splitCards } from './mig-words.ts';

/** What MIG makes of the cards and what it hides, where it is on: otherwise a dash for the load looks like a fault. */
export function MigNote({ facts }: { readonly facts: Feed<GpuFactsState> }) {
  const look = facts.kind === 'live' ? facts.state.facts : null;
  const words = migWords(look?.gpus ?? []);
  if (look === null || words === null) return null;
  const split = splitCards(look.gpus);
  const isNamed = split.length > 1;
  return (
    <section className={styles['note']} aria-label="MIG">
      <p className={styles['words']}>
        <Glyph tone="info" />
        <span>
          {words} Seen <Age atMs={look.atMs} />.
        </span>
      </p>
      {split.map(({ index, migParts }) => (
        <ul key={index} aria-label={`Parts of GPU ${index}`}>
          {isNamed && migParts !== null && migParts.length > 0 && (
            <li className={styles['card']} aria-hidden="true">
              GPU {index}
            </li>
          )}
          {migParts?.map((part, i) => (
            <Part key={part.device ?? `at ${i}`} part={part} all={migParts} />
          ))}
        </ul>
      ))}
    </section>
  );
}

function Part({ part, all }: { readonly part: MigPart; readonly all: readonly MigPart[] }) {
  const { memoryUsedMiB, memoryTotalMiB } = part;
  const shared = sharedWords(part, all);
  const share =
    memoryUsedMiB === null || memoryTotalMiB === null ? null : memoryUsedMiB / memoryTotalMiB;
  return (
    <li className={styles['part']}>
      <span className={styles['name']}>{partName(part)}</span>
      <span className="figures">{partMemoryWords(part)}</span>
      {shared !== null && <small>{shared}</small>}
      {share !== null && (
        <span className={styles['bar']} style={{ '--share': share } as CSSProperties} />
      )}
    </li>
  );
}
