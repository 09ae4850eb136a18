import { create } from 'zustand';
import {
  EMPTY_REQUEST,
  readRequestForm,
  type RequestErrors,
  type RequestForm,
} from '../../shared/runs/launch/request-form.ts';
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
}

export const useSweepForm = create<SweepForm>(() => ({
  request: EMPTY_REQUEST,
  kind: 'grid',
  command: '',
  parameters: '',
  list: '',
  pattern: RESULTS_PATTERN,
}));

export const sweepTyped = (part: Partial<SweepForm>): void => useSweepForm.setState(part);

/** From what was typed for one run; a command that is there already stays. */
export function sweepBegun(form: RequestForm): void {
  const { name, command, folder, activate, env, fetch, smoke, disk, push, needs } = form;
  useSweepForm.setState((before) => ({
    request: {
      ...EMPTY_REQUEST,
      ...{ name, folder, activate, env, fetch, smoke, disk, push, needs },
    },
    command: before.command === '' ? command : before.command,
  }));
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
  // Every cell has its own command.
  const read = readRequestForm({ ...form.request, command: 'sweep', results: '', successLine: '' });
  if (read.kind === 'errors') return { made, errors: read.errors, draft: null };
  if (made.cells.length === 0) return { made, errors: {}, draft: null };
  const { name, command: _, results: _none, successLine: _no, push, ...base } = read.request;
  return {
    made,
    errors: {},
    draft: {
      name,
      base,
      source: sourceOf(form),
      pattern: form.pattern.trim(),
      ...(push === undefined ? {} : { push }),
    },
  };
}

export const cellsOf = (form: SweepForm): MadeCells =>
  makeCells(sourceOf(form), form.pattern.trim());
