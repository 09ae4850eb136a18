import { ClipboardCopy, Save } from 'lucide-react';
import { useState } from 'react';
import type { Problem } from '../../../../../shared/problem.ts';
import { call } from '../../../../state/bridge.ts';
import { Button } from '../../../../ui/button.tsx';
import { copyText } from '../../../../ui/copy-text.ts';
import { Refusal } from '../../../../ui/problem-note.tsx';
import { savedWords } from './save-picture.tsx';
import styles from './metrics.module.css';

interface SaveValuesProps {
  /** What the file is called, unless the person calls it otherwise. */
  readonly title: string;
  /** All of them, as CSV. */
  readonly valuesOf: () => string;
}

/** Every value of what is drawn, into the clipboard or a file; main asks where to. */
export function SaveValues({ title, valuesOf }: SaveValuesProps) {
  const [said, setSaid] = useState('');
  const [refusal, setRefusal] = useState<Problem | null>(null);
  async function save(): Promise<void> {
    const answer = await call('runs:save-values', { title, csv: valuesOf() });
    setRefusal(answer.ok ? null : answer.error);
    setSaid(answer.ok ? savedWords(answer.value) : '');
  }
  return (
    <>
      <Button
        size="small"
        look="quiet"
        isIcon
        aria-label="Copy values"
        title="Copy every value of what is drawn, as CSV"
        onClick={() =>
          setSaid(
            copyText(valuesOf()) ? 'Values copied' : 'The system’s clipboard refused the values',
          )
        }
      >
        <ClipboardCopy size={14} aria-hidden />
      </Button>
      <Button
        size="small"
        look="quiet"
        isIcon
        aria-label="Save values…"
        title="Save every value of what is drawn as a CSV file…"
        onClick={() => void save()}
      >
        <Save size={14} aria-hidden />
      </Button>
      <span className={styles['muted']} role="status">
        {said}
      </span>
      <Refusal problem={refusal} />
    </>
  );
}
