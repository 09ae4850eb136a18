import { ruleError } from '../../transfer/rule-error.ts';
import {
  EMPTY_NEEDS,
  linesOf,
  needsFormOf,
  readNeedsForm,
  type NeedsForm,
  type NeedsTexts,
} from './needs-form.ts';
import { DURABLE, type FetchStep, type PushRequest, type RunRequest } from './run-request.ts';

// The rules of run-request-schema.ts for a person who types: the window has no schema library. A test holds the two together.

/** What stands in the fields. */
export interface RequestForm extends RequestTexts {
  /** A folder of this computer, once one is chosen. */
  readonly push: PushForm | null;
  readonly needs: NeedsForm;
}

export interface PushForm extends Pick<PushRequest, 'from' | 'delete' | 'fixLineEnds' | 'rehash'> {
  /** A pattern a line. */
  readonly ignore: string;
}

export interface RequestTexts {
  readonly name: string;
  readonly command: string;
  readonly folder: string;
  readonly activate: string;
  /** `NAME=value`, one a line. */
  readonly env: string;
  readonly results: string;
  readonly successLine: string;
  /** `folder: command`, one step a line. */
  readonly fetch: string;
  readonly smoke: string;
  /** A folder on the box, or `durable`; empty: no copy. */
  readonly copyTo: string;
  /** A pattern a line. */
  readonly prune: string;
  /** GiB. */
  readonly disk: string;
}

export const EMPTY_REQUEST: RequestForm = {
  name: '',
  command: '',
  folder: '',
  activate: '',
  env: '',
  results: '',
  successLine: '',
  fetch: '',
  smoke: '',
  copyTo: '',
  prune: '',
  disk: '',
  push: null,
  needs: EMPTY_NEEDS,
};

export type RequestField = keyof RequestTexts | keyof NeedsTexts | 'ignore';

/** What is wrong with each field; one that is fine is not in it. */
export type RequestErrors = Readonly<Partial<Record<RequestField, string>>>;

export type ReadForm =
  | { readonly kind: 'request'; readonly request: RunRequest }
  | { readonly kind: 'errors'; readonly errors: RequestErrors };

const MAX_LINE_CHARS = 2000;
const MAX_NAME_CHARS = 80;
const MAX_COMMAND_CHARS = 20_000;

export function readRequestForm(form: RequestForm): ReadForm {
  const name = form.name.trim();
  const command = form.command.trim();
  const folder = form.folder.trim();
  const [activate, results, successLine] = [
    form.activate.trim(),
    form.results.trim(),
    form.successLine.trim(),
  ];
  const env = readEnv(form.env);
  const fetch = readFetch(form.fetch);
  const disk = readDisk(form.disk);
  const ignore = linesOf(form.push?.ignore ?? '');
  const smoke = form.smoke.trim();
  const copyTo = form.copyTo.trim();
  const prune = linesOf(form.prune);
  const { needs, errors: needErrors } = readNeedsForm(form.needs);
  const errors: Record<Exclude<RequestField, keyof NeedsTexts>, string | null> = {
    name: name === '' ? 'Enter a name.' : lineError(name, MAX_NAME_CHARS),
    command: commandError(command),
    folder: folderError(folder),
    activate: lineError(activate),
    env: env.error,
    results: lineError(results),
    successLine: lineError(successLine),
    fetch: fetch.error,
    smoke: lineError(smoke),
    copyTo: copyError(copyTo, results),
    prune: pruneError(prune, copyTo),
    disk: disk.error,
    ignore:
      ignore.map((rule) => ruleError(rule) ?? lineError(rule)).find((error) => error !== null) ??
      null,
  };
  const wrong = Object.entries(errors).filter(([, error]) => error !== null);
  if (wrong.length > 0 || Object.keys(needErrors).length > 0) {
    return { kind: 'errors', errors: { ...Object.fromEntries(wrong), ...needErrors } };
  }
  const orNull = (text: string): string | null => (text === '' ? null : text);
  return {
    kind: 'request',
    request: {
      name,
      command,
      folder,
      activate: orNull(activate),
      env: env.values,
      results: orNull(results),
      successLine: orNull(successLine),
      ...(form.push === null ? {} : { push: { ...form.push, ignore } }),
      ...(fetch.steps.length === 0 ? {} : { fetch: fetch.steps }),
      ...(smoke === '' ? {} : { smoke }),
      ...(copyTo === '' ? {} : { copy: { to: copyTo, prune } }),
      ...(disk.gib === null ? {} : { diskGib: disk.gib }),
      ...needs,
    },
  };
}

/** The other way round: what to begin the form with. */
export function formOf(request: RunRequest): RequestForm {
  const { name, command, folder, env, activate, results, successLine } = request;
  const { push, fetch = [], smoke = '', copy, diskGib } = request;
  return {
    name,
    command,
    folder,
    fetch: fetch.map(({ into, run }) => `${into}: ${run}`).join('\n'),
    smoke,
    copyTo: copy?.to ?? '',
    prune: copy?.prune.join('\n') ?? '',
    disk: diskGib === undefined ? '' : String(diskGib),
    needs: needsFormOf(request),
    push: push === undefined ? null : { ...push, ignore: push.ignore.join('\n') },
    activate: activate ?? '',
    env: Object.entries(env)
      .map(([name, value]) => `${name}=${value}`)
      .join('\n'),
    results: results ?? '',
    successLine: successLine ?? '',
  };
}

function lineError(text: string, max = MAX_LINE_CHARS): string | null {
  if (/[\0\r\n]/.test(text)) return 'Use a single line.';
  return text.length > max ? `Use at most ${String(max)} characters.` : null;
}

function commandError(command: string): string | null {
  if (command === '') return 'Enter the command to run.';
  if (/[\0\r]/.test(command)) return 'Remove the carriage returns (Windows line ends).';
  return command.length > MAX_COMMAND_CHARS
    ? `Use at most ${String(MAX_COMMAND_CHARS)} characters: put the rest into a script on the box.`
    : null;
}

function folderError(folder: string): string | null {
  if (folder === '') return 'Enter a folder on the box.';
  const isPath = folder === '~' || folder.startsWith('~/') || folder.startsWith('/');
  return isPath ? lineError(folder) : 'Start the path with / or ~/.';
}

function copyError(to: string, results: string): string | null {
  if (to === '') return null;
  if (results === '') return 'Name the results folder above first.';
  return to === DURABLE || /^~?\//.test(to)
    ? lineError(to)
    : 'Start the path with / or ~/, or write durable.';
}

const MAX_PATTERNS = 50;

function pruneError(patterns: readonly string[], to: string): string | null {
  if (patterns.length > MAX_PATTERNS) return `Use at most ${String(MAX_PATTERNS)} patterns.`;
  const wrong = patterns.some((each) => /^\/|\t/.test(each) || /^[/*]*$/.test(each));
  if (wrong) return 'Write patterns from the results folder on, such as checkpoints/*';
  if (patterns.length > 0 && to === '') return 'Only what was copied is removed: name where to.';
  return patterns.map((each) => lineError(each)).find((error) => error !== null) ?? null;
}

const MAX_DISK_GIB = 1_000_000;

function readDisk(text: string): { readonly gib: number | null; readonly error: string | null } {
  if (text.trim() === '') return { gib: null, error: null };
  const gib = Number(text.trim().replace(',', '.'));
  return gib > 0 && gib <= MAX_DISK_GIB
    ? { gib, error: null }
    : { gib: null, error: 'Enter a number of GiB, such as 40.' };
}

interface ReadFetch {
  readonly steps: readonly FetchStep[];
  readonly error: string | null;
}

function readFetch(text: string): ReadFetch {
  const steps: FetchStep[] = [];
  for (const [index, line] of linesOf(text).entries()) {
    const [, into = '', run = ''] = /^([^:]+):\s+(\S.*)$/.exec(line) ?? [];
    if (into === '') {
      return { steps: [], error: `Line ${String(index + 1)}: write it as folder: command.` };
    }
    steps.push({ into: into.trim(), run: run.trim() });
  }
  return { steps, error: null };
}

const ENV_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/;

interface ReadEnv {
  readonly values: Readonly<Record<string, string>>;
  readonly error: string | null;
}

/** Taken literally: what a shell would do with quotes or `$` nobody does here. */
function readEnv(text: string): ReadEnv {
  const values = new Map<string, string>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const row = line.trim();
    if (row === '') continue;
    const equals = row.indexOf('=');
    const name = row.slice(0, Math.max(0, equals)).trim();
    const value = row.slice(equals + 1).trim();
    const wrong = envError(row, equals, name, value, values);
    if (wrong !== null) return { values: {}, error: `Line ${String(index + 1)}: ${wrong}` };
    values.set(name, value);
  }
  return { values: Object.fromEntries(values), error: null };
}

function envError(
  row: string,
  equals: number,
  name: string,
  value: string,
  before: ReadonlyMap<string, string>,
): string | null {
  if (/^export\s/.test(row)) return 'leave out “export”.';
  if (equals === -1) return 'write it as NAME=value.';
  if (!ENV_NAME.test(name) || name === '__proto__') {
    return 'a name has letters, digits and _, and does not start with a digit.';
  }
  if (before.has(name)) return `${name} is already set above.`;
  return lineError(value) === null ? null : 'the value is too long, or no plain text.';
}

const SECRET_NAME = /TOKEN|SECRET|PASSW|API_?KEY|ACCESS_KEY|PRIVATE_KEY|CREDENTIAL/i;

/** The names whose values look like secrets, which do not belong into a file that stays on the box. */
export function secretNamesOf(env: string): readonly string[] {
  const names = env.split('\n').flatMap((line) => /^\s*(\w{1,100})\s*=\s*\S/.exec(line)?.[1] ?? []);
  return names.filter((name) => SECRET_NAME.test(name) && !/_(?:FILE|PATH)$/i.test(name));
}
