import { useEffect, useMemo, useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import type { Problem } from '../../../../shared/problem.ts';
import {
  formOf,
  readRequestForm,
  secretNamesOf,
  type RequestErrors,
  type RequestField,
  type RequestTexts,
  type RequestForm,
} from '../../../../shared/runs/launch/request-form.ts';
import { saysNeeds } from '../../../../shared/runs/launch/needs-form.ts';
import type { RunRequest } from '../../../../shared/runs/launch/run-request.ts';
import type { QueueRequest } from '../../../../shared/runs/queue/queue-cell.ts';
import type { WantedRun } from '../../../../shared/runs/request/wanted-run.ts';
import { overlayOpened } from '../../../state/view.ts';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { DialogFooter } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { Glyph } from '../../../ui/glyph.tsx';
import { Refusal } from '../../../ui/problem-note.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { TextArea } from '../../../ui/text-area.tsx';
import { CopyFields } from './copy-fields.tsx';
import styles from './launch.module.css';
import { NeedFields } from './need-fields.tsx';
import { sweepBegun, sweepFilled } from '../../../sweeps/sweep-form.ts';
import { PushFields } from './push-fields.tsx';
import { QueueFields } from './queue/queue-fields.tsx';
import { cellErrors, queueFormOf, readQueueForm, type QueueForm } from './queue/queue-form.ts';
import { RequestBar } from './request-bar.tsx';

interface LaunchFormProps {
  readonly boxId: string;
  readonly form: RequestForm;
  readonly queue: QueueForm;
  readonly isUp: boolean;
  readonly isBusy: boolean;
  /** Whether a request file is asked for at once. */
  readonly isFromFile: boolean;
  /** Why there is no plan. */
  readonly problem: Problem | null;
  readonly onForm: (form: RequestForm) => void;
  readonly onQueue: (queue: QueueForm) => void;
  readonly onRequest: (request: RunRequest, queue: QueueRequest | null) => void;
  readonly onClose: () => void;
}

const NO_ERRORS: RequestErrors = {};

/** What is to run. Everything is looked at here before the box is asked. */
export function LaunchForm(props: LaunchFormProps) {
  const { boxId, form, queue, isUp, isBusy, isFromFile, problem } = props;
  const { onForm, onQueue, onRequest, onClose } = props;
  const [tries, setTries] = useState(0);
  const isMoreOpen = useEver(hasMore(form) || tries > 0);
  const areNeedsOpen = useEver(saysNeeds(form.needs) || tries > 0);
  const [left, setLeft] = useState<ReadonlySet<RequestField>>(new Set());
  const element = useRef<HTMLFormElement>(null);
  // A list may have thousands of cells: it is read when it changes, and not with each key in another field.
  const cells = useMemo(() => (queue.isOn ? readQueueForm(queue) : null), [queue]);
  const { results, copyTo } = form;
  const ofCells = useMemo(
    () => (queue.isOn ? cellErrors({ results, copyTo }, queue) : NO_ERRORS),
    [results, copyTo, queue],
  );
  const read = readRequestForm(queue.isOn ? withoutCommand(form) : form);
  const isRight = cells !== null && Object.keys(ofCells).length === 0;
  const isWhole = read.kind === 'request' && (!queue.isOn || isRight);
  const wanted = isWhole ? { request: read.request, queue: cells } : null;
  const errors = { ...ofCells, ...(read.kind === 'errors' ? read.errors : NO_ERRORS) };
  // The person is led to what is wrong after a try, never while typing.
  useEffect(() => {
    if (tries > 0) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [tries]);

  const leave = (name: RequestField): void => setLeft((before) => new Set(before).add(name));
  const shown = (name: RequestField): string | null =>
    tries > 0 || left.has(name) ? (errors[name] ?? null) : null;
  const field = (name: keyof RequestTexts) => ({
    value: form[name],
    // An empty field is no mistake before the first try.
    error: tries > 0 || (left.has(name) && form[name] !== '') ? (errors[name] ?? null) : null,
    onValue: (value: string) => onForm({ ...form, [name]: value }),
    onBlur: () => leave(name),
  });

  function tried(): void {
    if (!isUp || isBusy) return;
    if (wanted === null) setTries((before) => before + 1);
    else onRequest(wanted.request, wanted.queue);
  }
  function filled(file: WantedRun): void {
    const { request, queue: read } = file;
    if (file.sweep !== undefined) {
      sweepFilled(file);
      overlayOpened({ kind: 'launch-sweep' });
      return;
    }
    // Of a queue the request has the first cell's, which stands in the list.
    onForm({ ...formOf(request), ...(read === null ? {} : { command: '' }) });
    onQueue(read === null ? { ...queue, isOn: false } : queueFormOf(read));
  }
  function submitted(event: FormEvent): void {
    event.preventDefault();
    tried();
  }
  function pressed(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    tried();
  }

  return (
    <form
      ref={element}
      className={styles['form']}
      noValidate
      onSubmit={submitted}
      onKeyDown={pressed}
    >
      <RequestBar
        wanted={wanted}
        isBusy={isBusy}
        isFromFile={isFromFile}
        onRead={filled}
        onIncomplete={() => setTries((before) => before + 1)}
      />
      <fieldset className={styles['fields']} disabled={isBusy} aria-label="The run">
        <Field
          label="Name"
          hint="What the run is called in the list."
          placeholder="baseline"
          autoFocus
          maxLength={200}
          {...field('name')}
        />
        <Field
          label="Folder on the box"
          hint="Where the command runs."
          placeholder="~/project"
          isMono
          {...field('folder')}
        />
        <div className={styles['wide']}>
          <div className={styles['what']}>
            <Segmented
              label="What runs"
              options={WHAT_RUNS}
              value={queue.isOn ? 'queue' : 'command'}
              onChange={(what) => onQueue({ ...queue, isOn: what === 'queue' })}
            />
            <Button
              size="small"
              look="quiet"
              title="The same with a grid of parameters, over one or more boxes"
              onClick={() => {
                sweepBegun(form);
                overlayOpened({ kind: 'launch-sweep' });
              }}
            >
              Make it a sweep…
            </Button>
          </div>
          {queue.isOn ? (
            <QueueFields form={queue} isTried={tries > 0} onForm={onQueue} />
          ) : (
            <TextArea
              label="Command"
              hint="As you would type it in a terminal on the box. Several lines run as one script."
              placeholder="python train.py --config configs/baseline.yaml"
              isMono
              spellCheck={false}
              {...field('command')}
            />
          )}
        </div>
        <Field
          label="Run before it"
          hint="Optional. Activates your environment."
          placeholder="source .venv/bin/activate"
          isMono
          {...field('activate')}
        />
        <Field
          label="Results folder"
          hint={
            queue.isOn
              ? 'Optional. {cell} becomes the name of each cell, which finds its folder in LEASEHOLD_CELL_RESULTS.'
              : 'Optional. Where the run saves its results: inside the folder above, or a full path.'
          }
          placeholder={queue.isOn ? 'outputs/{cell}' : 'outputs'}
          isMono
          {...field('results')}
        />
        <div className={classNames(queue.isOn && styles['wide'])}>
          <TextArea
            label="Environment"
            hint="Optional. One NAME=value per line, taken literally: no quotes, no $VARIABLES."
            placeholder="CUDA_VISIBLE_DEVICES=0"
            isMono
            spellCheck={false}
            {...field('env')}
          />
        </div>
        {!queue.isOn && (
          <Field
            label="Succeeded when the log says"
            hint="Optional. Without it, a run that exits with code 0 has succeeded."
            placeholder="Training finished"
            isMono
            {...field('successLine')}
          />
        )}
        <PushFields
          push={form.push}
          error={shown('ignore')}
          onPush={(push) => onForm({ ...form, push })}
          onBlur={() => leave('ignore')}
        />
        <details className={styles['more']} open={isMoreOpen}>
          <summary>Data, disk, smoke command and copy of the results</summary>
          <div className={styles['fields']}>
            <TextArea
              label="Fetch on the box"
              hint="Optional. One “folder: command” per line, run before the command. The folder is created."
              placeholder="data: wget -c https://example.org/train.tar"
              isMono
              spellCheck={false}
              {...field('fetch')}
            />
            <div className={styles['stack']}>
              <Field
                label="Smoke command"
                hint="Optional. The run starts only if it succeeds."
                placeholder="python train.py --max-steps 2"
                isMono
                {...field('smoke')}
              />
              <Field
                label="Disk needed (GiB)"
                hint="Optional. Checked against the free space of the folder."
                placeholder="40"
                inputMode="decimal"
                {...field('disk')}
              />
            </div>
            <CopyFields areOfCells={queue.isOn} field={field} />
          </div>
        </details>
        <details className={styles['more']} open={areNeedsOpen}>
          <summary>GPUs, secrets, time and more</summary>
          <NeedFields
            form={form.needs}
            areOfCells={queue.isOn}
            errors={Object.fromEntries(
              Object.entries(errors).filter(([name]) => shown(name as RequestField) !== null),
            )}
            onForm={(needs) => onForm({ ...form, needs })}
            onBlur={leave}
          />
        </details>
        <SecretNote boxId={boxId} env={form.env} />
      </fieldset>
      <div role="status" className={styles['status']}>
        {isBusy && (
          <p className={styles['line']}>
            <Glyph tone="wait" />
            Checking the box. Nothing is changed on it…
          </p>
        )}
      </div>
      <Refusal problem={problem} />
      <DialogFooter>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          look="primary"
          disabled={!isUp || isBusy}
          title={isUp ? 'Ctrl+Enter or ⌘ Enter' : 'Connect to the box first'}
          aria-keyshortcuts="Control+Enter Meta+Enter"
        >
          Show plan
        </Button>
      </DialogFooter>
    </form>
  );
}

const WHAT_RUNS = [
  { value: 'command', label: 'One command' },
  { value: 'queue', label: 'A queue of cells' },
] as const;

/** Of a queue the cells are the commands, and each has its exit code. */
const withoutCommand = (form: RequestForm): RequestForm => ({
  ...form,
  command: 'queue',
  successLine: '',
});

/** What was opened for something in it stays so: it would close under the hands of who deletes that. */
function useEver(is: boolean): boolean {
  const [was, setWas] = useState(is);
  if (is && !was) setWas(true);
  return is || was;
}

const hasMore = ({ fetch, smoke, disk, copyTo }: RequestForm): boolean =>
  [fetch, smoke, disk, copyTo].some((text) => text !== '');

/** Values of the environment stay on the box, in a file: no place for a token. */
function SecretNote({ boxId, env }: { readonly boxId: string; readonly env: string }) {
  const [first, ...others] = secretNamesOf(env);
  return (
    <div className={styles['secret']}>
      <Glyph tone={first === undefined ? 'info' : 'warn'} />
      <p>
        {first !== undefined && (
          <strong>
            {[first, ...others].join(', ')} {others.length === 0 ? 'looks' : 'look'} like a
            secret.{' '}
          </strong>
        )}
        Values of the environment are written into a file on the box and stay there. Send tokens and
        passwords separately; they never become part of a run.
      </p>
      <Button size="small" onClick={() => overlayOpened({ kind: 'send-secret', boxId })}>
        Send a secret…
      </Button>
    </div>
  );
}
