import { textOf } from '../../../../shared/runs/launch/run-words.ts';
import type { PulledFile } from '../../../../shared/transfer/pull.ts';
import {
  opennessWords,
  pythonWords,
  type PythonAnswer,
} from '../../../../shared/verify/python-answer.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogFooter } from '../../../ui/dialog.tsx';
import { formatBytes, formatCount } from '../../../ui/format.ts';
import { Glyph } from '../../../ui/glyph.tsx';
import { Refusal } from '../../../ui/problem-note.tsx';
import { ResultTable, type ResultColumn } from '../launch/result-table.tsx';
import styles from './pull.module.css';
import { useOwnPython } from './use-own-python.ts';

const MOST_TOLD = 20;

interface OwnPythonDialogProps {
  readonly boxId: string;
  readonly runId: string;
  readonly files: readonly PulledFile[];
  readonly onClose: () => void;
}

/** What a person's own PyTorch says of the checkpoints that came home, beside how far they are proven. */
export function OwnPythonDialog({ boxId, runId, files, onClose }: OwnPythonDialogProps) {
  const asked = useOwnPython(boxId, runId, files);
  const { python, answers, loading, refusal, choose, start, stop } = asked;
  const isLoading = loading !== null;
  const openness = opennessWords([...answers.values()]);
  return (
    <Dialog
      title="Load with your own Python"
      description="Your PyTorch opens each checkpoint with weights_only=True, in a separate process that refuses network and writing, and where Linux allows it has neither. This is a second opinion: it changes no proof, and is not kept."
      isWide
      onClose={onClose}
    >
      <dl className={styles['facts']}>
        <dt>Python</dt>
        <dd className={styles['python']}>
          {typeof python === 'string' ? (
            <span className="mono selectable">{textOf(python)}</span>
          ) : (
            <span className={styles['muted']}>
              {python === null
                ? 'None chosen. Choose one that has PyTorch, for example venv/bin/python.'
                : 'Reading…'}
            </span>
          )}
          <Button
            size="small"
            aria-haspopup="dialog"
            disabled={isLoading || python === undefined}
            onClick={() => void choose()}
          >
            Choose…
          </Button>
        </dd>
      </dl>
      <div className={styles['choice']}>
        <ResultTable
          label="Checkpoints and what your Python says"
          rows={files}
          keyOf={({ path }) => path}
          columns={columnsOf(answers, loading)}
        />
        <p role="status" className={styles['muted']}>
          {statusWords(files.length, answers, isLoading)}
        </p>
        <NotLoaded answers={answers} />
      </div>
      {openness !== null && <p className={styles['muted']}>{openness}</p>}
      <Refusal problem={refusal} />
      <DialogFooter>
        <Button onClick={onClose}>Close</Button>
        {isLoading ? (
          <Button onClick={stop}>Stop</Button>
        ) : (
          <Button look="primary" disabled={typeof python !== 'string'} onClick={() => void start()}>
            Load {formatCount(files.length, 'file')}
          </Button>
        )}
      </DialogFooter>
    </Dialog>
  );
}

/** What is said of a file that it did not load is too long for the table, and is what a person opened this for. */
function NotLoaded({ answers }: { readonly answers: ReadonlyMap<string, PythonAnswer> }) {
  const without = [...answers].filter(([, { kind }]) => kind !== 'loads');
  if (without.length === 0) return null;
  return (
    <ul className={styles['answers']}>
      {without.slice(0, MOST_TOLD).map(([path, answer]) => (
        <li key={path}>
          <span className="mono">{textOf(path)}</span>: {textOf(pythonWords(answer))}
        </li>
      ))}
      {without.length > MOST_TOLD && <li>and {String(without.length - MOST_TOLD)} more</li>}
    </ul>
  );
}

function columnsOf(
  answers: ReadonlyMap<string, PythonAnswer>,
  loading: string | null,
): readonly ResultColumn<PulledFile>[] {
  const said = ({ path }: PulledFile): string => {
    const answer = answers.get(path);
    if (answer !== undefined) return shortWords(answer);
    return path === loading ? 'Loading…' : 'Not opened';
  };
  const whole = (file: PulledFile): string => {
    const answer = answers.get(file.path);
    return answer === undefined ? said(file) : textOf(pythonWords(answer));
  };
  return [
    {
      name: 'File',
      look: 'name',
      titleOf: ({ path }) => textOf(path),
      cell: ({ path }) => textOf(path),
    },
    { name: 'Size', look: 'figure', cell: ({ bytes }) => formatBytes(bytes) },
    {
      name: 'Your Python',
      look: 'held',
      titleOf: whole,
      cell: (file) => {
        const answer = answers.get(file.path);
        return (
          <>
            {answer !== undefined && <Glyph tone={toneOf(answer)} />} {said(file)}
          </>
        );
      },
    },
  ];
}

function shortWords(answer: PythonAnswer): string {
  switch (answer.kind) {
    case 'loads':
      return `Loads, ${formatCount(answer.tensors, 'tensor')}`;
    case 'refused':
      return 'Refused';
    case 'failed':
      return 'Failed';
    case 'no-torch':
      return 'No PyTorch';
    case 'no-answer':
      return 'No answer';
  }
}

/** What could not be asked is no word against a file. */
function toneOf({ kind }: PythonAnswer): 'ok' | 'warn' | 'unknown' {
  if (kind === 'loads') return 'ok';
  return kind === 'refused' || kind === 'failed' ? 'warn' : 'unknown';
}

function statusWords(
  files: number,
  answers: ReadonlyMap<string, PythonAnswer>,
  isLoading: boolean,
): string {
  if (isLoading) return `Loading ${String(answers.size + 1)} of ${String(files)}…`;
  if (answers.size === 0) return '';
  const loads = [...answers.values()].filter(({ kind }) => kind === 'loads').length;
  return `${String(loads)} of ${formatCount(files, 'file')} opened by your Python`;
}
