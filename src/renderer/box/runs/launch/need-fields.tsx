import { useId, type ReactNode } from 'react';
import {
  isTracker,
  TRACKER_WORDS,
  type NeedsErrors,
  type NeedsForm,
  type NeedsTexts,
} from '../../../../shared/runs/launch/needs-form.ts';
import { TRACKERS } from '../../../../shared/runs/launch/tracker.ts';
import { Field } from '../../../ui/field.tsx';
import styles from './launch.module.css';
import { ProgressFields } from './progress-fields.tsx';

interface NeedFieldsProps {
  readonly form: NeedsForm;
  readonly errors: NeedsErrors;
  /** They are the needs of each of several cells. */
  readonly areOfCells: boolean;
  readonly onForm: (form: NeedsForm) => void;
  readonly onBlur: (field: keyof NeedsTexts) => void;
}

/** What the run needs of a box, and what is to be known of it: all of it may be left out. */
export function NeedFields({ form, errors, areOfCells, onForm, onBlur }: NeedFieldsProps) {
  const field = (name: keyof NeedsTexts) => ({
    value: form[name],
    error: errors[name] ?? null,
    onValue: (value: string) => onForm({ ...form, [name]: value }),
    onBlur: () => onBlur(name),
  });
  const figure = (name: keyof NeedsTexts) => ({ ...field(name), inputMode: 'decimal' as const });
  return (
    <div className={styles['needs']}>
      <Group title="GPUs">
        <Field label="Model" hint="Any of these" placeholder="A100, H100" {...field('gpuNames')} />
        {areOfCells ? (
          <Field
            label="GPUs per cell"
            hint="Cells then run side by side, each on GPUs of its own; empty: one after another"
            placeholder="1"
            {...figure('gpuCount')}
          />
        ) : (
          <Field label="At least" placeholder="1" {...figure('gpuCount')} />
        )}
        <Field label="Memory of each (GiB)" placeholder="40" {...figure('gpuGib')} />
        {areOfCells && (
          <Field
            label="Cells at once, at most"
            hint="Empty: as many as the free GPUs go round"
            placeholder="8"
            {...figure('gpuCells')}
          />
        )}
      </Group>
      <Group title="Checkpoints">
        <Field
          label="Files"
          hint="Patterns, separated by commas"
          placeholder="*.ckpt"
          isMono
          {...field('checkpointNames')}
        />
        <Field label="Size of one (GiB)" placeholder="2.5" {...figure('checkpointGib')} />
        <Field label="Kept at once" placeholder="3" {...figure('checkpointsKept')} />
      </Group>
      <Group title="Data loaders and files">
        <Field label="Workers" placeholder="8" {...figure('workers')} />
        <Field label="Memory of each (GiB)" placeholder="2" {...figure('workerGib')} />
        <Field
          label="Files it leaves"
          hint="Checked against free inodes"
          placeholder="20000"
          {...figure('files')}
        />
      </Group>
      <Group title="Reached from the box">
        <Field
          label="Secrets"
          hint="Variables, never values"
          placeholder="WANDB_API_KEY"
          isMono
          {...field('secrets')}
        />
        <Field
          label="Addresses"
          hint="Each is asked once"
          placeholder="huggingface.co"
          isMono
          {...field('internet')}
        />
        <TrackerField form={form} onForm={onForm} />
      </Group>
      <Group title="Time and place">
        <Field
          label="Expected time (h)"
          hint="Of one command or cell"
          placeholder="6"
          {...figure('hours')}
        />
        <Field
          label="Meant for platforms"
          hint="Ids, the best first"
          placeholder="runpod, vastai"
          {...field('platforms')}
        />
        <label className={styles['checkbox']}>
          <input
            type="checkbox"
            checked={form.usesProfile}
            onChange={() => onForm({ ...form, usesProfile: !form.usesProfile })}
          />
          <span>Use the platform’s proxy, mirrors and cache folders</span>
        </label>
      </Group>
      <Group title="Before and after">
        <Field
          label="Rehearsal on this computer"
          hint="Must have passed with this code"
          placeholder="python -m pytest -q"
          isMono
          {...field('rehearsal')}
        />
        <Field
          label="Evidence"
          hint="Patterns in the results: must not be lost"
          placeholder="metrics.csv, best.ckpt"
          isMono
          {...field('evidence')}
        />
        <Field
          label="Scratch"
          hint="Patterns in the results: need not be kept"
          placeholder="*.tmp"
          isMono
          {...field('scratch')}
        />
      </Group>
      <Group title="Notifications">
        <label className={styles['checkbox']}>
          <input
            type="checkbox"
            checked={form.notifiesEnd}
            onChange={() => onForm({ ...form, notifiesEnd: !form.notifiesEnd })}
          />
          <span>When it ends: the box posts to your webhook, even while Leasehold is closed</span>
        </label>
        {(!areOfCells || form.notifyLine !== '') && (
          <Field
            label="When its log has this text"
            hint={areOfCells ? 'Not for a queue: each cell has a log' : 'Checked once a minute'}
            placeholder="loss is nan"
            isMono
            {...field('notifyLine')}
          />
        )}
      </Group>
      <Group title="Log">
        <ProgressFields {...field('progress')} />
      </Group>
    </div>
  );
}

function Group({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <fieldset className={styles['need']}>
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}

function TrackerField({ form, onForm }: Pick<NeedFieldsProps, 'form' | 'onForm'>) {
  const id = useId();
  return (
    <div className={styles['choice']}>
      <label htmlFor={id}>Tracker</label>
      <select
        id={id}
        value={form.tracker}
        onChange={({ target: { value } }) =>
          onForm({ ...form, tracker: isTracker(value) ? value : '' })
        }
      >
        <option value="">Not chosen</option>
        {TRACKERS.map((tracker) => (
          <option key={tracker} value={tracker}>
            {TRACKER_WORDS[tracker]}
          </option>
        ))}
      </select>
    </div>
  );
}
