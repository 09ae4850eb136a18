import { textOf } from '../../../../shared/runs/launch/run-words.ts';
import type { KeepKind, PullFile } from '../../../../shared/transfer/pull.ts';
import { CutName } from '../../../ui/cut-name.tsx';
import { Field } from '../../../ui/field.tsx';
import { formatBytes } from '../../../ui/format.ts';
import { Segmented } from '../../../ui/segmented.tsx';
import { ResultTable, type ResultColumn } from '../launch/result-table.tsx';
import { HERE_WORDS, KEEPS, keepWords, ruleWords, sizeWords } from './proof-words.ts';
import { fateColumn, type Fates } from './fates.tsx';
import type { Left, LeftReason } from './use-left.ts';
import styles from './pull.module.css';

const REASONS: readonly { readonly value: LeftReason; readonly label: string }[] = [
  { value: 'scratch', label: 'Scratch' },
  { value: 'reproducible', label: 'Can be made again' },
  { value: 'own', label: 'Another reason' },
];

/** Files of one folder differ in their numbers and endings. */
const NAME_CHARS = 24;
/** Longer ones main refuses. */
const MOST_OWN_WORDS = 200;

interface LeftChoiceProps {
  readonly left: Left;
  /** The folder of the box. */
  readonly from: string;
  readonly fates: Fates;
}

/** What comes home, by what it is for and file by file, and why the rest stays on the box. */
export function LeftChoice({ left, from, fates }: LeftChoiceProps) {
  const { wanted, reason } = left;
  const columns = [...columnsOf(left), ...fateColumn(from, wanted, fates)];
  return (
    <section className={styles['choice']} aria-label="What comes home">
      <h3>What comes home</h3>
      <ul className={styles['kinds']}>
        {KEEPS.map(([kind, label]) => (
          <Kind key={kind} kind={kind} label={label} left={left} />
        ))}
      </ul>
      <ResultTable
        label="Files to bring home"
        rows={wanted}
        keyOf={({ path }) => path}
        columns={columns}
      />
      {left.left.length > 0 && (
        <div className={styles['why']}>
          <p>
            <strong>{sizeWords(left.left)} will be left on the box.</strong> Why? The reason is kept
            in the evidence.
          </p>
          <Segmented<LeftReason | ''>
            label="Why they are left on the box"
            options={REASONS}
            value={reason ?? ''}
            onChange={(next) => next !== '' && left.setReason(next)}
          />
          {reason === 'own' && (
            <Field
              label="Reason"
              value={left.ownWords}
              maxLength={MOST_OWN_WORDS}
              onValue={left.setOwnWords}
            />
          )}
        </div>
      )}
    </section>
  );
}

interface KindProps {
  readonly kind: KeepKind;
  readonly label: string;
  readonly left: Left;
}

function Kind({ kind, label, left: { wanted, isLeft, leave } }: KindProps) {
  const files = wanted.filter(({ keep }) => keep === kind);
  if (files.length === 0) return null;
  const coming = files.filter(({ path }) => !isLeft(path)).length;
  const isMixed = coming > 0 && coming < files.length;
  return (
    <li>
      <label>
        <input
          type="checkbox"
          checked={coming > 0}
          ref={(box) => {
            if (box !== null) box.indeterminate = isMixed;
          }}
          onChange={() =>
            leave(
              files.map(({ path }) => path),
              coming === files.length,
            )
          }
        />
        {label}
      </label>
      <span className={styles['muted']}>
        {sizeWords(files)}
        {isMixed && `, ${String(coming)} of them coming`}
      </span>
    </li>
  );
}

function columnsOf({ isLeft, leave }: Left): readonly ResultColumn<PullFile>[] {
  return [
    {
      name: 'File',
      look: 'name',
      titleOf: ({ path }) => textOf(path),
      cell: ({ path }) => (
        <label className={styles['file']}>
          <input
            type="checkbox"
            checked={!isLeft(path)}
            onChange={({ target }) => leave([path], !target.checked)}
          />
          <CutName name={textOf(path)} tailChars={NAME_CHARS} />
        </label>
      ),
    },
    {
      name: 'For',
      look: 'held',
      titleOf: ruleWords,
      cell: (file) => (
        <>
          {keepWords(file.keep)}{' '}
          {file.rule !== undefined && <span className={styles['rule']}>{file.rule.pattern}</span>}
        </>
      ),
    },
    { name: 'Size', look: 'size', cell: ({ bytes }) => formatBytes(bytes) },
    {
      name: 'On this computer',
      look: 'held',
      titleOf: ({ here }) => HERE_WORDS[here].title,
      cell: ({ here }) => HERE_WORDS[here].words,
    },
  ];
}
