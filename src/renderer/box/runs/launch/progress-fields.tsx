import { useState } from 'react';
import { linesOf } from '../../../../shared/runs/launch/needs-form.ts';
import {
  progressPatterns,
  readByPatterns,
  type PatternRead,
} from '../../../../shared/runs/progress/progress-pattern.ts';
import { Field } from '../../../ui/field.tsx';
import { Glyph } from '../../../ui/glyph.tsx';
import { TextArea } from '../../../ui/text-area.tsx';
import styles from './launch.module.css';

interface ProgressFieldsProps {
  readonly value: string;
  readonly error: string | null;
  readonly onValue: (value: string) => void;
  readonly onBlur: () => void;
}

const EXPLAINED =
  'Only for a trainer that Leasehold does not know by itself. Copy a line of the log and put {step}, {total}, {epoch}, {epochs} or a name of your own, such as {loss}, in place of each figure; {*} skips text. It may stand anywhere in the line, and the first pattern that fits counts.';

/** How the log tells how far the run is, and what is read of a line by that. */
export function ProgressFields({ value, error, onValue, onBlur }: ProgressFieldsProps) {
  const [line, setLine] = useState('');
  return (
    <>
      <div title={EXPLAINED}>
        <TextArea
          label="Progress lines"
          hint="One pattern per line, for a trainer of your own"
          placeholder="step {step}/{total} loss={loss}"
          isMono
          spellCheck={false}
          {...{ value, error, onValue, onBlur }}
        />
      </div>
      <div className={styles['tryOut']}>
        <Field
          label="Try a line of your log"
          hint="Stays here; it is not part of the run"
          placeholder="step 120/1000 loss=0.42"
          isMono
          value={line}
          onValue={setLine}
        />
        <div role="status">{line.trim() !== '' && <TriedLine line={line} patterns={value} />}</div>
      </div>
    </>
  );
}

function TriedLine({ line, patterns }: { readonly line: string; readonly patterns: string }) {
  const known = progressPatterns(linesOf(patterns));
  const found = readByPatterns(line.slice(0, MAX_TRIED_CHARS), known);
  const says =
    known.length === 0
      ? 'No progress line to try.'
      : found === null
        ? 'Does not fit.'
        : `Reads ${readWords(found.read)}.`;
  return (
    <p className={styles['line']}>
      <Glyph tone={known.length === 0 ? 'info' : found === null ? 'warn' : 'ok'} />
      {says}
    </p>
  );
}

/** As much of a line as is read of a log. */
const MAX_TRIED_CHARS = 2000;

function readWords({ step, total, epoch, epochs, values }: PatternRead): string {
  const count = (name: string, at: number | null, of: number | null) =>
    at === null ? [] : [`${name} ${String(at)}${of === null ? '' : ` of ${String(of)}`}`];
  return [
    ...count('epoch', epoch, epochs),
    ...count('step', step, total),
    ...values.map(({ name, value }) => `${name} ${String(value)}`),
  ].join(', ');
}
