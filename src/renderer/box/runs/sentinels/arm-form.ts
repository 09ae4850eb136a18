import type { SeenRun } from '../../../../shared/patrol/patrol-state.ts';
import { processKey, processRefOf } from '../../../../shared/runs/process-ref.ts';
import {
  DEFAULT_FOR_MS,
  MAX_ENDING_CHARS,
  MAX_FILES,
  MAX_PATH_CHARS,
  MAX_PID,
  MAX_TEXT_CHARS,
  type Awaited,
} from '../../../../shared/sentinels/sentinel.ts';
import { commandOf } from '../run-card.tsx';

export type AwaitedKind = Awaited['kind'];

/** What stands in the form; every kind keeps its own, so that a look at another kind loses nothing. */
export interface ArmValues {
  readonly kind: AwaitedKind;
  /** The key of a run that was seen; empty: a process by its number. */
  readonly runKey: string;
  readonly pid: string;
  readonly file: string;
  readonly log: string;
  readonly text: string;
  readonly folder: string;
  readonly countEnding: string;
  readonly atLeast: string;
  readonly newestEnding: string;
  readonly forMs: number;
}

export type ArmErrors = Partial<Record<keyof ArmValues, string>>;

/** What a person most likely waits for, from the run that began last. */
export function valuesFor(
  runs: readonly SeenRun[],
  wanted: Partial<ArmValues> = {},
  run: SeenRun | undefined = runs[0],
): ArmValues {
  const folder = run?.folder ?? '';
  return {
    kind: run === undefined ? 'file' : 'process',
    runKey: run === undefined ? '' : processKey(run),
    pid: '',
    file: folder === '' ? '' : `${folder.replace(/\/$/, '')}/DONE`,
    log: run?.log?.path ?? '',
    text: '',
    folder,
    countEnding: '',
    atLeast: '',
    newestEnding: endingOf(run?.checkpoint?.path ?? null) ?? '.pt',
    forMs: DEFAULT_FOR_MS,
    ...wanted,
  };
}

/** `.safetensors` of a path. */
function endingOf(path: string | null): string | null {
  return /\.\w{1,20}$/.exec(path ?? '')?.[0] ?? null;
}

export function processOf(run: SeenRun): Awaited & { readonly kind: 'process' } {
  return { kind: 'process', ...processRefOf(run), name: commandOf(run) };
}

export function judgeArmForm(values: ArmValues): ArmErrors {
  switch (values.kind) {
    case 'process':
      return values.runKey !== '' ? {} : errors({ pid: judgeNumber(values.pid, MAX_PID) });
    case 'file':
      return errors({ file: judgePath(values.file) });
    case 'line':
      return errors({ log: judgePath(values.log), text: judgeText(values.text) });
    case 'count':
      return errors({
        folder: judgePath(values.folder),
        countEnding: judgeEnding(values.countEnding),
        atLeast: judgeNumber(values.atLeast, MAX_FILES),
      });
    case 'newest':
      return errors({
        folder: judgePath(values.folder),
        newestEnding: judgeEnding(values.newestEnding),
      });
  }
}

/** Null: the run that was chosen is not seen any more. */
export function awaitedOf(values: ArmValues, runs: readonly SeenRun[]): Awaited | null {
  const { kind } = values;
  const folder = values.folder.trim().replace(/(?<=.)\/+$/, '');
  switch (kind) {
    case 'process': {
      if (values.runKey === '') {
        return { kind, bootId: null, pid: Number(values.pid), startTicks: null, name: '' };
      }
      const run = runs.find((each) => processKey(each) === values.runKey);
      return run === undefined ? null : processOf(run);
    }
    case 'file':
      return { kind, path: values.file.trim() };
    case 'line':
      return { kind, path: values.log.trim(), text: values.text };
    case 'count':
      return { kind, folder, ending: values.countEnding, atLeast: Number(values.atLeast) };
    case 'newest':
      return { kind, folder, ending: values.newestEnding };
  }
}

function errors(all: Partial<Record<keyof ArmValues, string | null>>): ArmErrors {
  return Object.fromEntries(Object.entries(all).filter(([, error]) => error !== null));
}

const HAS_CONTROL = /\p{Cc}/u;

function judgePath(typed: string): string | null {
  const path = typed.trim();
  if (!path.startsWith('/')) return 'The whole path on the box, from / on.';
  if (HAS_CONTROL.test(path)) return 'It holds a character that cannot be seen.';
  return path.length > MAX_PATH_CHARS ? `At most ${String(MAX_PATH_CHARS)} characters.` : null;
}

function judgeText(text: string): string | null {
  if (text.trim() === '') return 'Say which text the line has.';
  if (HAS_CONTROL.test(text)) return 'It holds a character that cannot be seen.';
  return text.length > MAX_TEXT_CHARS ? `At most ${String(MAX_TEXT_CHARS)} characters.` : null;
}

function judgeEnding(ending: string): string | null {
  if (ending.includes('/') || HAS_CONTROL.test(ending)) return 'The end of a name, such as .pt.';
  return ending.length > MAX_ENDING_CHARS
    ? `At most ${String(MAX_ENDING_CHARS)} characters.`
    : null;
}

function judgeNumber(text: string, most: number): string | null {
  const number = Number(text);
  return /^\d{1,10}$/.test(text) && number >= 1 && number <= most
    ? null
    : `A whole number from 1 to ${String(most)}.`;
}
