import { create } from 'zustand';
import {
  EMPTY_REQUEST,
  formOf,
  readRequestForm,
  type RequestErrors,
  type RequestForm,
} from '../../shared/runs/launch/request-form.ts';
import type { RunRequest } from '../../shared/runs/launch/run-request.ts';
import { cellListText } from '../../shared/runs/queue/cell-list.ts';
import type { WantedRun } from '../../shared/runs/request/wanted-run.ts';
import { draftOf } from '../../shared/runs/request/wanted-sweep.ts';
import {
  makeCells,
  RESULTS_PATTERN,
  type CellSource,
  type MadeCells,
} from '../../shared/runs/sweep/make-cells.ts';
import type { SweepDraft } from '../../shared/runs/sweep/sweep-plan.ts';

/** What stands in the fields, until Leasehold quits. */
export interface SweepForm {
  /** Its command and results belong to the cells. */
  readonly request: RequestForm;
  readonly kind: CellSource['kind'];
  readonly command: string;
  readonly parameters: string;
  readonly list: string;
  readonly pattern: string;
  /** The boxes that a request file named; null: none did. */
  readonly boxes: readonly string[] | null;
}

export const useSweepForm = create<SweepForm>(() => ({
  request: EMPTY_REQUEST,
  kind: 'grid',
  command: '',
  parameters: '',
  list: '',
  pattern: RESULTS_PATTERN,
  boxes: null,
}));

export const sweepTyped = (part: Partial<SweepForm>): void => useSweepForm.setState(part);

/** From what was typed for one run; a command that is there already stays. */
export function sweepBegun(form: RequestForm): void {
  const { name, command, folder, activate, env, fetch, smoke, disk, push, needs } = form;
  const { copyTo, prune } = form;
  useSweepForm.setState((before) => ({
    request: {
      ...EMPTY_REQUEST,
      ...{ name, folder, activate, env, fetch, smoke, disk, push, needs, copyTo, prune },
    },
    command: before.command === '' ? command : before.command,
  }));
}

/** From a request file. One that is no sweep is where a sweep may begin, too. */
export function sweepFilled({ request, queue, sweep }: WantedRun): void {
  const source: CellSource =
    sweep?.source ??
    (queue === null
      ? { kind: 'grid', command: request.command, parameters: '' }
      : { kind: 'list', text: cellListText(queue.cells) });
  useSweepForm.setState({
    request: {
      ...formOf(request),
      command: '',
      results: '',
      successLine: '',
    },
    ...(source.kind === 'grid'
      ? { kind: 'grid', command: source.command, parameters: source.parameters, list: '' }
      : { kind: 'list', command: '', parameters: '', list: source.text }),
    pattern: sweep?.pattern ?? RESULTS_PATTERN,
    boxes: sweep?.boxes ?? null,
  });
}

/** What a request file is to say; null: something is to be mended first. */
export function wantedOf(
  { made, draft }: ReadSweep,
  boxes: readonly string[] | null,
): WantedRun | null {
  const [first] = made.cells;
  if (draft === null || first === undefined) return null;
  const { name, base, source, pattern, push } = draft;
  const request: RunRequest = {
    ...base,
    ...{ name, command: first.command, results: null, successLine: null },
    ...(push === undefined ? {} : { push }),
  };
  return { request, queue: null, sweep: { source, pattern, boxes } };
}

export interface ReadSweep {
  readonly made: MadeCells;
  readonly errors: RequestErrors;
  /** Null: something is to be mended first. */
  readonly draft: SweepDraft | null;
}

export function sourceOf({ kind, command, parameters, list }: SweepForm): CellSource {
  return kind === 'grid' ? { kind, command, parameters } : { kind, text: list };
}

export function readSweepForm(form: SweepForm, made: MadeCells): ReadSweep {
  // Every cell has its own command, and its own results.
  const ofCells = { command: 'sweep', results: form.pattern, successLine: '' };
  const read = readRequestForm({ ...form.request, ...ofCells });
  if (read.kind === 'errors') return { made, errors: read.errors, draft: null };
  if (made.cells.length === 0) return { made, errors: {}, draft: null };
  const draft = draftOf(read.request, { source: sourceOf(form), pattern: form.pattern.trim() });
  return { made, errors: {}, draft };
}

export const cellsOf = (form: SweepForm): MadeCells =>
  makeCells(sourceOf(form), form.pattern.trim());
