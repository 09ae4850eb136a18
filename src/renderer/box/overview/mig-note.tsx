import { useGpuFacts } from '../../state/gpu-facts.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { migWords } from './mig-words.ts';
import styles from './overview.module.css';

/** What MIG hides, where it is on: otherwise a dash for the load looks like a fault. */
export function MigNote({ boxId }: { readonly boxId: string }) {
  const feed = useGpuFacts(boxId);
  const gpus = (feed.kind === 'live' ? feed.state.facts?.gpus : null) ?? [];
  const words = migWords(gpus);
  if (words === null) return null;
  return (
    <p className={styles['mig']}>
      <Glyph tone="info" />
      <span>{words}</span>
    </p>
  );
}
