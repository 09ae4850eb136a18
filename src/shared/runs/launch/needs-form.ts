import { MAX_PROGRESS, progressError } from '../progress/progress-pattern.ts';
import {
  addressError,
  lineError,
  MAX_NEED,
  notifyLineError,
  patternError,
  secretNameError,
} from './need-rules.ts';
import type { RunNeeds } from './run-needs.ts';
import { TRACKERS, type Tracker } from './tracker.ts';

// The rules of run-needs-schema.ts for a person who types.

/** What stands in the fields of RunNeeds. Lists are separated by commas; an empty field says nothing. */
export interface NeedsTexts {
  readonly gpuNames: string;
  readonly gpuCount: string;
  readonly gpuGib: string;
  /** Of cells: at most so many at once. */
  readonly gpuCells: string;
  readonly checkpointNames: string;
  readonly checkpointGib: string;
  readonly checkpointsKept: string;
  readonly files: string;
  readonly workers: string;
  readonly workerGib: string;
  readonly secrets: string;
  readonly rehearsal: string;
  readonly internet: string;
  readonly hours: string;
  readonly platforms: string;
  readonly evidence: string;
  readonly scratch: string;
  /** A pattern a line: a comma is text there. */
  readonly progress: string;
  /** A text of the log that the person wants to be told of. */
  readonly notifyLine: string;
}

export interface NeedsForm extends NeedsTexts {
  /** Empty: not told. */
  readonly tracker: Tracker | '';
  /** Whether what the profile of the platform says is used. */
  readonly usesProfile: boolean;
  /** The box posts when it has ended. */
  readonly notifiesEnd: boolean;
}

export const EMPTY_NEEDS: NeedsForm = {
  gpuNames: '',
  gpuCount: '',
  gpuGib: '',
  gpuCells: '',
  checkpointNames: '',
  checkpointGib: '',
  checkpointsKept: '',
  files: '',
  workers: '',
  workerGib: '',
  secrets: '',
  rehearsal: '',
  internet: '',
  hours: '',
  platforms: '',
  evidence: '',
  scratch: '',
  progress: '',
  notifyLine: '',
  tracker: '',
  usesProfile: true,
  notifiesEnd: false,
};

export type NeedsErrors = Readonly<Partial<Record<keyof NeedsTexts, string>>>;

interface ReadNeeds {
  readonly needs: RunNeeds;
  readonly errors: NeedsErrors;
}

export function readNeedsForm(form: NeedsForm): ReadNeeds {
  const errors: Partial<Record<keyof NeedsTexts, string>> = {};
  const said = (name: keyof NeedsTexts): string => form[name].trim();
  const list = (
    name: keyof NeedsTexts,
    wrong: (text: string) => string | null,
  ): readonly string[] | undefined => {
    const texts = said(name)
      .split(/[,\n]/)
      .map((text) => text.trim())
      .filter((text) => text !== '');
    const error =
      texts.length > MAX_NEED.listed
        ? `Use at most ${String(MAX_NEED.listed)}, separated by commas.`
        : texts.map(wrong).find((each) => each !== null);
    if (error !== undefined && error !== null) errors[name] = error;
    return texts.length === 0 ? undefined : texts;
  };
  const lines = (): readonly string[] | undefined => {
    const texts = linesOf(form.progress);
    const error =
      texts.length > MAX_PROGRESS.patterns
        ? `Use at most ${String(MAX_PROGRESS.patterns)} lines.`
        : texts.flatMap((text, at) => {
            const wrong = progressError(text);
            return wrong === null ? [] : [`Line ${String(at + 1)}: ${wrong}`];
          })[0];
    if (error !== undefined) errors.progress = error;
    return texts.length === 0 ? undefined : texts;
  };
  const line = (name: keyof NeedsTexts, wrong = lineError): string | undefined => {
    if (said(name) === '') return undefined;
    const error = wrong(said(name));
    if (error !== null) errors[name] = error;
    return said(name);
  };
  const number = (
    name: keyof NeedsTexts,
    max: number,
    { least = 0, isWhole = false } = {},
  ): number | undefined => {
    if (said(name) === '') return undefined;
    const value = Number(said(name).replace(',', '.'));
    const isFine =
      value <= max && (isWhole ? Number.isInteger(value) && value >= least : value > 0);
    if (!isFine) {
      errors[name] = isWhole
        ? `Enter a whole number from ${String(least)} to ${String(max)}.`
        : `Enter a number above 0, up to ${String(max)}.`;
    }
    return value;
  };
  const whole = (name: keyof NeedsTexts, max: number, least = 1): number | undefined =>
    number(name, max, { least, isWhole: true });

  const count = whole('workers', MAX_NEED.workers, 0);
  const each = number('workerGib', MAX_NEED.gib);
  if ((count === undefined) !== (each === undefined)) {
    errors[count === undefined ? 'workers' : 'workerGib'] ??=
      'Enter both: how many workers, and what each of them holds.';
  }
  const needs: Draft = {
    gpus: group({
      names: list('gpuNames', patternError),
      count: whole('gpuCount', MAX_NEED.gpus),
      gib: number('gpuGib', MAX_NEED.gib),
      cells: whole('gpuCells', MAX_NEED.gpus),
    }),
    checkpoints: group({
      names: list('checkpointNames', patternError),
      gib: number('checkpointGib', MAX_NEED.gib),
      kept: whole('checkpointsKept', MAX_NEED.kept),
    }),
    files: whole('files', MAX_NEED.files),
    workers: count === undefined || each === undefined ? undefined : { count, gib: each },
    secrets: list('secrets', secretNameError),
    tracker: form.tracker === '' ? undefined : form.tracker,
    rehearsal: line('rehearsal'),
    internet: list('internet', addressError),
    hours: number('hours', MAX_NEED.hours),
    platforms: list('platforms', platformError),
    profile: form.usesProfile ? undefined : false,
    evidence: list('evidence', patternError),
    scratch: list('scratch', patternError),
    progress: lines(),
    notify: group({
      end: form.notifiesEnd ? true : undefined,
      line: line('notifyLine', notifyLineError),
    }),
  };
  return { needs: group(needs) ?? {}, errors };
}

type Draft = { readonly [Name in keyof Required<RunNeeds>]: RunNeeds[Name] | undefined };
type Filled<T> = { readonly [Name in keyof T]?: Exclude<T[Name], undefined> };

/** Without the fields that say nothing; undefined: none says anything. */
function group<T extends object>(fields: T): Filled<T> | undefined {
  const filled = Object.entries(fields).filter(([, value]) => value !== undefined);
  return filled.length === 0 ? undefined : (Object.fromEntries(filled) as Filled<T>);
}

const platformError = (text: string): string | null =>
  /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text) ? null : 'Enter ids of profiles, such as runpod, vastai.';

/** The lines that say anything. */
export const linesOf = (text: string): readonly string[] =>
  text.split(/\r?\n/).flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));

/** The other way round. */
export function needsFormOf(needs: RunNeeds): NeedsForm {
  const { gpus, checkpoints, workers } = needs;
  const text = (value: number | undefined): string => (value === undefined ? '' : String(value));
  const list = (texts: readonly string[] | undefined): string => texts?.join(', ') ?? '';
  return {
    gpuNames: list(gpus?.names),
    gpuCount: text(gpus?.count),
    gpuGib: text(gpus?.gib),
    gpuCells: text(gpus?.cells),
    checkpointNames: list(checkpoints?.names),
    checkpointGib: text(checkpoints?.gib),
    checkpointsKept: text(checkpoints?.kept),
    files: text(needs.files),
    workers: text(workers?.count),
    workerGib: text(workers?.gib),
    secrets: list(needs.secrets),
    rehearsal: needs.rehearsal ?? '',
    internet: list(needs.internet),
    hours: text(needs.hours),
    platforms: list(needs.platforms),
    evidence: list(needs.evidence),
    scratch: list(needs.scratch),
    progress: needs.progress?.join('\n') ?? '',
    tracker: needs.tracker ?? '',
    usesProfile: needs.profile !== false,
    notifyLine: needs.notify?.line ?? '',
    notifiesEnd: needs.notify?.end === true,
  };
}

/** Whether a field says anything: then the part of the form with it is open. */
export const saysNeeds = (form: NeedsForm): boolean =>
  (Object.keys(EMPTY_NEEDS) as (keyof NeedsForm)[]).some(
    (name) => form[name] !== EMPTY_NEEDS[name],
  );

export const TRACKER_WORDS: Readonly<Record<Tracker, string>> = {
  wandb: 'Weights & Biases',
  trackio: 'Trackio',
  tensorboard: 'TensorBoard',
  none: 'None',
};
export const isTracker = (text: string): text is Tracker =>
  TRACKERS.some((tracker) => tracker === text);
