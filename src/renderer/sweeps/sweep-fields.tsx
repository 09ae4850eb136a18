import { useEffect, useMemo, useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import type { Problem } from '../../shared/problem.ts';
import { plainLine } from '../../shared/questions/hostile-text.ts';
import { saysNeeds } from '../../shared/runs/launch/needs-form.ts';
import {
  secretNamesOf,
  type RequestErrors,
  type RequestField,
  type RequestTexts,
} from '../../shared/runs/launch/request-form.ts';
import type { MadeCells, SourceField } from '../../shared/runs/sweep/make-cells.ts';
import type { SweepDraft, WantedShare } from '../../shared/runs/sweep/sweep-plan.ts';
import { CopyFields } from '../box/runs/launch/copy-fields.tsx';
import { NeedFields } from '../box/runs/launch/need-fields.tsx';
import { PushFields } from '../box/runs/launch/push-fields.tsx';
import { RequestBar } from '../box/runs/launch/request-bar.tsx';
import { Button } from '../ui/button.tsx';
import { DialogFooter } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { formatCount } from '../ui/format.ts';
import { Glyph } from '../ui/glyph.tsx';
import { Refusal } from '../ui/problem-note.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { TextArea } from '../ui/text-area.tsx';
import { useBoxSplit } from './box-split.ts';
import { SplitFields } from './split-fields.tsx';
import {
  cellsOf,
  readSweepForm,
  sweepFilled,
  sweepTyped,
  useSweepForm,
  wantedOf,
} from './sweep-form.ts';
import styles from './sweep-form.module.css';

interface SweepFieldsProps {
  readonly isBusy: boolean;
  /** Why there is no plan. */
  readonly problem: Problem | null;
  readonly onDraft: (draft: SweepDraft, shares: readonly WantedShare[]) => void;
  readonly onClose: () => void;
}

const NO_ERRORS: RequestErrors = {};

const SOURCES = [
  { value: 'grid', label: 'A grid of parameters' },
  { value: 'list', label: 'A list of cells' },
] as const;

/** What is to run, and where. Everything is looked at here before a box is asked. */
export function SweepFields({ isBusy, problem, onDraft, onClose }: SweepFieldsProps) {
  const form = useSweepForm();
  const [tries, setTries] = useState(0);
  const element = useRef<HTMLFormElement>(null);
  const { kind, command, parameters, list, pattern } = form;
  const made = useMemo(
    () => cellsOf({ ...form, kind, command, parameters, list, pattern }),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- thousands of cells are not made anew for a letter of the name
    [kind, command, parameters, list, pattern],
  );
  const places = useMemo(() => made.cells.map((_, at) => at), [made]);
  const read = readSweepForm(form, made);
  const { errors, draft } = read;
  const split = useBoxSplit(places, { wanted: form.boxes, platforms: draft?.base.platforms });
  useEffect(() => {
    if (tries > 0) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [tries]);

  const field = (name: keyof RequestTexts) => ({
    value: form.request[name],
    error: tries > 0 ? (errors[name as RequestField] ?? null) : null,
    onValue: (value: string) => sweepTyped({ request: { ...form.request, [name]: value } }),
  });
  const fault = (name: SourceField, value: string) => ({
    value,
    error: tries > 0 || value !== '' ? faultOf(made, name, tries > 0) : null,
  });

  function tried(): void {
    if (isBusy) return;
    if (draft !== null && split.error === null) onDraft(draft, split.shares);
    else setTries((before) => before + 1);
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

  const secrets = secretNamesOf(form.request.env);
  return (
    <form
      ref={element}
      className={styles['form']}
      noValidate
      onSubmit={submitted}
      onKeyDown={pressed}
    >
      <RequestBar
        wanted={wantedOf(read, split.named)}
        isBusy={isBusy}
        onRead={sweepFilled}
        onIncomplete={() => setTries((before) => before + 1)}
      />
      <fieldset className={styles['fields']} disabled={isBusy} aria-label="The sweep">
        <Field
          label="Name"
          hint="What the sweep is called in the list."
          placeholder="learning rates"
          autoFocus
          maxLength={200}
          {...field('name')}
        />
        <Field
          label="Folder on the boxes"
          hint="Where each cell runs; the same on every box."
          placeholder="~/project"
          isMono
          {...field('folder')}
        />
        <div className={styles['wide']}>
          <Segmented
            label="What runs"
            options={SOURCES}
            value={kind}
            onChange={(next) => sweepTyped({ kind: next })}
          />
          {kind === 'grid' ? (
            <div className={styles['fields']}>
              <TextArea
                label="Parameters"
                hint="One “name: value, value” per line. Every combination is a cell."
                placeholder={'lr: 1e-3, 1e-4\nseed: 0, 1, 2'}
                isMono
                spellCheck={false}
                {...fault('parameters', parameters)}
                onValue={(next) => sweepTyped({ parameters: next })}
              />
              <TextArea
                label="Command of each cell"
                hint="{name} becomes the value of a parameter, {results} the folder of the cell, {cell} its name. Nothing is added to it."
                placeholder="python train.py --lr {lr} --seed {seed} --out {results}"
                isMono
                spellCheck={false}
                {...fault('command', command)}
                onValue={(next) => sweepTyped({ command: next })}
              />
            </div>
          ) : (
            <TextArea
              label="Cells"
              hint="One “name: command” per line. {results} becomes the folder of the cell, {cell} its name."
              placeholder={'small: python train.py --size s --out {results}'}
              isMono
              spellCheck={false}
              {...fault('list', list)}
              onValue={(next) => sweepTyped({ list: next })}
            />
          )}
        </div>
        <Field
          label="Folder of each cell"
          hint="Created before the cell begins. {cell} and, in a grid, {name} are filled in; no two cells may share one."
          isMono
          {...fault('results', pattern)}
          onValue={(next) => sweepTyped({ pattern: next })}
        />
        <Field
          label="Run before it"
          hint="Optional. Activates your environment."
          placeholder="source .venv/bin/activate"
          isMono
          {...field('activate')}
        />
        <MadeSummary made={made} />
        <div className={styles['wide']}>
          <SplitFields split={split} isTried={tries > 0} wanted={form.boxes ?? []} />
        </div>
        <PushFields
          push={form.request.push}
          error={tries > 0 ? (errors.ignore ?? null) : null}
          onPush={(push) => sweepTyped({ request: { ...form.request, push } })}
          onBlur={() => undefined}
        />
        <details className={styles['more']} open={tries > 0}>
          <summary>Environment, data, disk, smoke command and copies of the results</summary>
          <div className={styles['fields']}>
            <TextArea
              label="Environment"
              hint="Optional. One NAME=value per line, taken literally. Values stay on the boxes, in a file: no place for a token."
              isMono
              spellCheck={false}
              {...field('env')}
              error={
                secrets.length > 0
                  ? `${secrets.join(', ')} looks like a secret: send it to each box separately.`
                  : field('env').error
              }
            />
            <TextArea
              label="Fetch on each box"
              hint="Optional. One “folder: command” per line, run before the first cell. The folder is created."
              isMono
              spellCheck={false}
              {...field('fetch')}
            />
            <Field
              label="Smoke command"
              hint="Optional. A box begins with its cells only if it succeeds there."
              isMono
              {...field('smoke')}
            />
            <Field
              label="Disk needed (GiB)"
              hint="Optional. Checked on each box."
              inputMode="decimal"
              {...field('disk')}
            />
            <CopyFields areOfCells field={field} />
          </div>
        </details>

        <details className={styles['more']} open={saysNeeds(form.request.needs) || tries > 0}>
          <summary>GPUs, secrets, time and more</summary>
          <NeedFields
            form={form.request.needs}
            areOfCells
            errors={tries > 0 ? errors : NO_ERRORS}
            onForm={(needs) => sweepTyped({ request: { ...form.request, needs } })}
            onBlur={() => undefined}
          />
        </details>
      </fieldset>
      <div role="status" className={styles['status']}>
        {isBusy && (
          <p className={styles['line']}>
            <Glyph tone="wait" />
            Checking every box. Nothing is changed on them…
          </p>
        )}
      </div>
      <Refusal problem={problem} />
      <DialogFooter>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          look="primary"
          disabled={isBusy}
          title="Ctrl+Enter or ⌘ Enter"
          aria-keyshortcuts="Control+Enter Meta+Enter"
        >
          Show plan
        </Button>
      </DialogFooter>
    </form>
  );
}

/** What is missing is no mistake before the first try. */
function faultOf({ faults }: MadeCells, name: SourceField, isTried: boolean): string | null {
  const fault = faults[name] ?? null;
  return isTried || fault?.startsWith('Enter ') !== true ? fault : null;
}

const SHOWN_CELLS = 3;

/** What the first cells come to. */
function MadeSummary({ made: { cells } }: { readonly made: MadeCells }) {
  return (
    <div className={styles['made']} role="status">
      {cells.length > 0 && (
        <>
          <p>
            <strong>{formatCount(cells.length, 'cell')}</strong>, each with a name and a folder of
            its own.
          </p>
          <ul>
            {cells.slice(0, SHOWN_CELLS).map(({ name, command, results }) => (
              <li key={name}>
                <span>{plainLine(name, 100)}</span>
                <code title={`Saves in ${results}`}>{plainLine(command, 400)}</code>
              </li>
            ))}
          </ul>
          {cells.length > SHOWN_CELLS && (
            <p className={styles['muted']}>
              and {formatCount(cells.length - SHOWN_CELLS, 'more cell')}; the plan shows all.
            </p>
          )}
        </>
      )}
    </div>
  );
}
