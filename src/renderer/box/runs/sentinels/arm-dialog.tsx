import { useId, useState, type FormEvent, type ReactNode } from 'react';
import type { SeenRun } from '../../../../shared/patrol/patrol-state.ts';
import type { Problem } from '../../../../shared/problem.ts';
import { problem } from '../../../../shared/problem.ts';
import { processKey } from '../../../../shared/runs/process-ref.ts';
import { call } from '../../../state/bridge.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogFooter } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { Refusal } from '../../../ui/problem-note.tsx';
import { commandOf } from '../run-card.tsx';
import {
  awaitedOf,
  judgeArmForm,
  valuesFor,
  type ArmErrors,
  type ArmValues,
  type AwaitedKind,
} from './arm-form.ts';
import styles from './sentinels.module.css';

const KINDS: Readonly<Record<AwaitedKind, string>> = {
  process: 'A run or another process ends',
  file: 'A file appears or changes',
  line: 'A line is written to a log',
  count: 'A folder has so many files',
  newest: 'A new checkpoint, or another new file',
};

const HINTS: Readonly<Record<AwaitedKind, string>> = {
  process: 'This process only (not a later one that reuses its PID).',
  file: 'Is it there already, you are told when it is written to or replaced.',
  line: 'Lines from now on. What stands in the log already does not count.',
  count: 'In it and up to four folders below it.',
  newest:
    'Newer than every such file that is there now. It may still be being written when you hear of it.',
};

const HOUR_MS = 3_600_000;
const LATEST = [
  { ms: HOUR_MS, label: '1 hour' },
  { ms: 6 * HOUR_MS, label: '6 hours' },
  { ms: 24 * HOUR_MS, label: '1 day' },
  { ms: 7 * 24 * HOUR_MS, label: '7 days' },
  { ms: 31 * 24 * HOUR_MS, label: '31 days' },
];

interface ArmDialogProps {
  readonly boxId: string;
  readonly runs: readonly SeenRun[];
  /** What is filled in at first. */
  readonly wanted?: Partial<ArmValues>;
  readonly run?: SeenRun;
  readonly onClose: () => void;
}

/** What is watched for, and for how long. */
export function ArmDialog(props: ArmDialogProps) {
  return (
    <ArmFrame onClose={props.onClose}>
      <ArmForm {...props} />
    </ArmFrame>
  );
}

interface ArmFrameProps {
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function ArmFrame({ onClose, children }: ArmFrameProps) {
  return (
    <Dialog
      title="New watch"
      description="Leasehold checks every minute while it runs here and the box is connected, and tells you once. Missed checks are caught up. Nothing is changed on the box."
      onClose={onClose}
    >
      {children}
    </Dialog>
  );
}

export function ArmForm({ boxId, runs, wanted, run, onClose }: ArmDialogProps) {
  const [values, setValues] = useState(() => valuesFor(runs, wanted, run));
  const [isTried, setIsTried] = useState(false);
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const errors = judgeArmForm(values);

  function set(part: Partial<ArmValues>): void {
    setValues((old) => ({ ...old, ...part }));
    setRefusal(null);
  }

  async function submitted(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget;
    setIsTried(true);
    if (Object.keys(errors).length > 0) {
      // After React has marked them.
      setTimeout(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return;
    }
    const awaited = awaitedOf(values, runs);
    if (awaited === null) {
      setRefusal(problem('bad-input', 'This run is not seen any more.'));
      return;
    }
    const armed = await call('sentinels:arm', { boxId, awaited, forMs: values.forMs });
    if (armed.ok) onClose();
    else setRefusal(armed.error);
  }

  return (
    <form className={styles['form']} noValidate onSubmit={(event) => void submitted(event)}>
      <Choice
        label="Tell me when"
        value={values.kind}
        hint={HINTS[values.kind]}
        autoFocus={wanted === undefined}
        onValue={(kind) => set({ kind: kind as AwaitedKind })}
      >
        {Object.entries(KINDS).map(([kind, words]) => (
          <option key={kind} value={kind}>
            {words}
          </option>
        ))}
      </Choice>
      <Marker
        values={values}
        errors={isTried ? errors : {}}
        runs={runs}
        isFirst={wanted !== undefined}
        set={set}
      />
      <Choice
        label="Give up after"
        value={String(values.forMs)}
        hint="You’ll be told if it never happened."
        onValue={(ms) => set({ forMs: Number(ms) })}
      >
        {LATEST.map(({ ms, label }) => (
          <option key={ms} value={ms}>
            {label}
          </option>
        ))}
      </Choice>
      <Refusal problem={refusal} />
      <DialogFooter>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary">
          Tell me
        </Button>
      </DialogFooter>
    </form>
  );
}

interface MarkerProps {
  readonly values: ArmValues;
  readonly errors: ArmErrors;
  readonly runs: readonly SeenRun[];
  /** The first field has the focus, because what kind it is was chosen already. */
  readonly isFirst: boolean;
  readonly set: (part: Partial<ArmValues>) => void;
}

function Marker({ values, errors, runs, isFirst, set }: MarkerProps) {
  switch (values.kind) {
    case 'process':
      return (
        <>
          {runs.length > 0 && (
            <Choice label="Which" value={values.runKey} onValue={(runKey) => set({ runKey })}>
              {runs.map((run) => (
                <option key={processKey(run)} value={processKey(run)}>
                  {`${commandOf(run).slice(0, 80)} (${String(run.pid)})`}
                </option>
              ))}
              <option value="">Another process, by its PID</option>
            </Choice>
          )}
          {values.runKey === '' && (
            <Field
              label="PID"
              isMono
              inputMode="numeric"
              autoFocus={isFirst}
              value={values.pid}
              error={errors.pid ?? null}
              onValue={(pid) => set({ pid })}
            />
          )}
        </>
      );
    case 'file':
      return (
        <Field
          label="File or folder on the box"
          isMono
          autoFocus={isFirst}
          placeholder="/workspace/out/DONE"
          value={values.file}
          error={errors.file ?? null}
          onValue={(file) => set({ file })}
        />
      );
    case 'line':
      return (
        <>
          <Field
            label="Text in the line"
            isMono
            autoFocus={isFirst}
            placeholder="early stopping"
            hint="Exactly as it is written; capital letters count."
            value={values.text}
            error={errors.text ?? null}
            onValue={(text) => set({ text })}
          />
          <Field
            label="Log on the box"
            isMono
            placeholder="/workspace/train.log"
            value={values.log}
            error={errors.log ?? null}
            onValue={(log) => set({ log })}
          />
        </>
      );
    case 'count':
      return (
        <>
          <Field
            label="How many files"
            inputMode="numeric"
            autoFocus={isFirst}
            placeholder="12"
            value={values.atLeast}
            error={errors.atLeast ?? null}
            onValue={(atLeast) => set({ atLeast })}
          />
          <Folder values={values} errors={errors} set={set} />
          <Field
            label="Whose names end with"
            isMono
            placeholder="metrics.json"
            hint="Empty: all files."
            value={values.countEnding}
            error={errors.countEnding ?? null}
            onValue={(countEnding) => set({ countEnding })}
          />
        </>
      );
    case 'newest':
      return (
        <>
          <Folder values={values} errors={errors} set={set} isFirst={isFirst} />
          <Field
            label="Whose names end with"
            isMono
            hint="Empty: any file."
            value={values.newestEnding}
            error={errors.newestEnding ?? null}
            onValue={(newestEnding) => set({ newestEnding })}
          />
        </>
      );
  }
}

function Folder({
  values,
  errors,
  set,
  isFirst = false,
}: Pick<MarkerProps, 'values' | 'errors' | 'set'> & { readonly isFirst?: boolean }) {
  return (
    <Field
      label="In this folder on the box"
      isMono
      autoFocus={isFirst}
      placeholder="/workspace/out"
      value={values.folder}
      error={errors.folder ?? null}
      onValue={(folder) => set({ folder })}
    />
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly autoFocus?: boolean;
  readonly onValue: (value: string) => void;
  readonly children: ReactNode;
}

function Choice({ label, hint, value, autoFocus = false, onValue, children }: ChoiceProps) {
  const id = useId();
  const hintId = useId();
  return (
    <div className={styles['choice']}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        className={styles['select']}
        autoFocus={autoFocus}
        aria-describedby={hint === undefined ? undefined : hintId}
        value={value}
        onChange={(event) => onValue(event.target.value)}
      >
        {children}
      </select>
      {hint !== undefined && (
        <p id={hintId} className={styles['hint']}>
          {hint}
        </p>
      )}
    </div>
  );
}
