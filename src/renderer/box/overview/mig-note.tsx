import type { GpuFactsState } from '../../../shared/telemetry/gpu-facts.ts';
import type { Feed } from '../../state/stream-client.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { migWords } from './mig-words.ts';
import styles from './overview.module.css';

/** What MIG hides, where it is on: otherwise a dash for the load looks like a fault. */
export function MigNote({ facts }: { readonly facts: Feed<GpuFactsState> }) {
  const gpus = (facts.kind === 'live' ? facts.state.facts?.gpus : null) ?? [];
  const words = migWords(gpus);
  if (words === null) return null;
  return (
    <p className={styles['mig']}>
      <Glyph tone="info" />
      <span>{words}</span>
    </p>
  );
}
