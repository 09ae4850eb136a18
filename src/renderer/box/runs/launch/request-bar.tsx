import { FileDown, FolderOpen } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Problem } from '../../../../shared/problem.ts';
import type { WantedRun } from '../../../../shared/runs/request/wanted-run.ts';
import type { FileFault } from '../../../../shared/yaml/file-fault.ts';
import { call } from '../../../state/bridge.ts';
import { Button } from '../../../ui/button.tsx';
import { formatCount } from '../../../ui/format.ts';
import { Glyph } from '../../../ui/glyph.tsx';
import { Refusal } from '../../../ui/problem-note.tsx';
import styles from './launch.module.css';

interface RequestBarProps {
  /** What stands in the form; null: not all of it can be used. */
  readonly wanted: WantedRun | null;
  readonly isBusy: boolean;
  /** A file is asked for as soon as this is shown. */
  readonly isFromFile?: boolean;
  readonly onRead: (wanted: WantedRun) => void;
  /** What is to be saved is not a request yet. */
  readonly onIncomplete: () => void;
}

type Told =
  | { readonly kind: 'opened' | 'saved'; readonly file: string }
  | { readonly kind: 'faults'; readonly file: string; readonly faults: readonly FileFault[] }
  | { readonly kind: 'failed'; readonly problem: Problem };

/** The form from a file of the project, and a file of the project from the form. */
export function RequestBar(props: RequestBarProps) {
  const { wanted, isBusy, isFromFile = false, onRead, onIncomplete } = props;
  const [told, setTold] = useState<Told | null>(null);
  const hasAsked = useRef(!isFromFile);

  async function open(): Promise<void> {
    const answer = await call('runs:open-request', {});
    if (!answer.ok) setTold({ kind: 'failed', problem: answer.error });
    else if (answer.value.kind === 'faults') setTold(answer.value);
    else if (answer.value.kind === 'read') {
      onRead(answer.value);
      setTold({ kind: 'opened', file: answer.value.file });
    }
  }
  useEffect(() => {
    if (hasAsked.current) return;
    hasAsked.current = true;
    void open();
  });
  async function save(): Promise<void> {
    if (wanted === null) {
      onIncomplete();
      return;
    }
    const answer = await call('runs:save-request', wanted);
    if (!answer.ok) setTold({ kind: 'failed', problem: answer.error });
    else if (answer.value.kind === 'saved') setTold({ kind: 'saved', file: answer.value.file });
  }

  return (
    <div className={styles['bar']}>
      <div className={styles['barButtons']}>
        <Button size="small" disabled={isBusy} onClick={() => void open()}>
          <FolderOpen size={14} aria-hidden /> Open a request file…
        </Button>
        <Button size="small" disabled={isBusy} onClick={() => void save()}>
          <FileDown size={14} aria-hidden /> Save as leasehold.yaml…
        </Button>
      </div>
      <div role="status" className={styles['status']}>
        {(told?.kind === 'opened' || told?.kind === 'saved') && (
          <p className={styles['line']}>
            <Glyph tone="ok" />
            <span>
              {told.kind === 'opened' ? 'Filled from ' : 'Saved as '}
              <code className="selectable">{told.file}</code>
            </span>
          </p>
        )}
      </div>
      {told?.kind === 'faults' && <Faults file={told.file} faults={told.faults} />}
      <Refusal problem={told?.kind === 'failed' ? told.problem : null} />
    </div>
  );
}

interface FaultsProps {
  readonly file: string;
  readonly faults: readonly FileFault[];
}

/** Why nothing of the file was taken over. */
function Faults({ file, faults }: FaultsProps) {
  return (
    <div role="alert">
      <p className={styles['line']}>
        <Glyph tone="warn" />
        <span>
          {formatCount(faults.length, 'mistake')} in <code className="selectable">{file}</code>. The
          form is unchanged.
        </span>
      </p>
      <ul className={styles['faults']}>
        {faults.map(({ line, column, message, fix }) => (
          <li key={`${String(line)} ${String(column)} ${message}`}>
            <code>
              {line}
              {column === undefined ? '' : `:${String(column)}`}
            </code>{' '}
            {message}. <span>{fix}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
