import type { FileFault } from '../../shared/yaml/file-fault.ts';
import { call } from '../state/bridge.ts';
import { actionFailed } from '../state/view.ts';
import { Button } from '../ui/button.tsx';
import { formatCount } from '../ui/format.ts';
import { Glyph } from '../ui/glyph.tsx';
import { gotchasChanged } from './gotchas.ts';
import styles from './handbook-page.module.css';

/** Files of the person's own that could not be used: what they hold is missing here, so it is said here. */
export function UnusedFiles({ faults }: { readonly faults: readonly FileFault[] }) {
  if (faults.length === 0) return null;
  return (
    <details className={styles['unused']}>
      <summary>
        <Glyph tone="warn" /> {formatCount(faults.length, 'problem')} in your own entries
      </summary>
      <ul>
        {faults.map(({ file, line, message, fix }) => (
          <li key={`${file}:${line}:${message}`} className="selectable">
            <code className="mono">
              {file}:{line}
            </code>{' '}
            {message}. {fix}
          </li>
        ))}
      </ul>
      <Button size="small" onClick={() => void gotchasChanged()}>
        Read them again
      </Button>
      <Button size="small" look="quiet" onClick={() => void openFolder()}>
        Open their folder
      </Button>
    </details>
  );
}

async function openFolder(): Promise<void> {
  const answer = await call('gotchas:open-folder', {});
  if (!answer.ok) actionFailed(answer.error);
}
