import { join } from 'node:path';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import {
  applySettingsPatch,
  type Settings,
  type SettingsPatch,
} from '../../shared/settings/settings.ts';
import { replaceFile, sweepTemporaries } from './atomic-file.ts';
import { errnoOf, fileProblem } from './file-problem.ts';
import { prepareFolder } from './folder.ts';
import { copyAside, moveAside, type KeptName } from './keep-aside.ts';
import { readOwnText } from './own-text.ts';
import { createSerial } from './serial.ts';
import {
  NO_SETTINGS_FILE,
  parseSettings,
  renderSettings,
  withoutFormer,
  type JsonObject,
  type ReadSettings,
} from './settings-file.ts';

export const SETTINGS_FILE = 'settings.json';

/** Far above any real file; what is larger is not ours and is not read into memory. */
const MAX_BYTES = 1024 * 1024;

const NOT_SAVED = 'Your settings were not saved';

export interface SettingsStore {
  /** What is on disk, or the defaults while nothing is. */
  readonly current: () => Settings;
  /** Answers with the new settings after reading them back from disk; otherwise nothing has changed anywhere. */
  readonly change: (patch: SettingsPatch) => Promise<Result<Settings, Problem>>;
  /** Takes out of the file what earlier versions kept in it and is kept elsewhere now. */
  readonly dropFormer: () => Promise<Result<unknown, Problem>>;
  /** Called after each saved change. Returns how to stop. */
  readonly onChange: (listener: (settings: Settings) => void) => () => void;
  /** Resolves when every change asked for so far is done; quitting waits for it. */
  readonly settled: () => Promise<void>;
}

export interface OpenedSettings {
  readonly store: SettingsStore;
  /** The file as it was found, with what earlier versions kept in it. */
  readonly found: JsonObject;
  /** What the person should know about the file as it was found. */
  readonly problems: readonly Problem[];
}

export async function openSettings(
  folder: string,
  now: () => number = Date.now,
): Promise<OpenedSettings> {
  const file = join(folder, SETTINGS_FILE);
  const found = await findSettings(file, now());
  let { raw, settings } = found.read;
  const listeners = new Set<(settings: Settings) => void>();
  const serial = createSerial();

  const save = async (patch: SettingsPatch): Promise<Result<Settings, Problem>> => {
    if (found.blocked !== null) return err(found.blocked);
    const unwritable = prepareFolder(folder, NOT_SAVED);
    if (unwritable !== null) return err(unwritable);
    const next = applySettingsPatch(settings, patch);
    const text = renderSettings(next, raw);
    try {
      await replaceFile(file, text);
    } catch (cause) {
      return err(fileProblem(cause, { failed: NOT_SAVED, file, otherwise: 'settings-not-saved' }));
    }
    settings = next;
    for (const listener of listeners) listener(settings);
    return ok(settings);
  };

  const store: SettingsStore = {
    current: () => settings,
    change: (patch) => serial.run(() => save(patch)),
    dropFormer: () =>
      serial.run(async () => {
        const rest = withoutFormer(raw);
        if (rest === raw) return ok(null);
        const before = raw;
        raw = rest;
        const saved = await save({});
        if (!saved.ok) raw = before;
        return saved;
      }),
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    settled: serial.settled,
  };

  if (found.blocked !== null || found.read.dropped.length === 0) {
    return { store, found: found.read.raw, problems: found.problems };
  }
  // Written back at once, so that the next start is quiet; the file as it was is kept beside it.
  const rewritten = await store.change({});
  const problems = rewritten.ok ? found.problems : [...found.problems, rewritten.error];
  return { store, found: found.read.raw, problems };
}

/** What the file says, for who only looks: nothing is swept, mended or put aside. Null: it is there and cannot be read. */
export async function peekSettings(folder: string): Promise<ReadSettings | null> {
  const text = await orErrno(() => readOwnText(join(folder, SETTINGS_FILE), MAX_BYTES));
  if (text.ok) return parseSettings(text.value);
  return text.error === 'ENOENT' ? NO_SETTINGS_FILE : null;
}

/** The error is what the system calls it. */
async function orErrno<T>(work: () => Promise<T>): Promise<Result<T, string>> {
  try {
    return ok(await work());
  } catch (cause) {
    const errno = errnoOf(cause);
    if (errno === null) throw cause;
    return err(errno);
  }
}

interface FoundSettings {
  readonly read: ReadSettings;
  readonly problems: readonly Problem[];
  /** Why nothing may be written over the file: it holds something that could be neither read nor put aside. */
  readonly blocked: Problem | null;
}

async function findSettings(file: string, atMs: number): Promise<FoundSettings> {
  const text = await orErrno(async () => {
    await sweepTemporaries(file);
    return readOwnText(file, MAX_BYTES);
  });
  if (!text.ok) {
    if (text.error === 'ENOENT') return { read: NO_SETTINGS_FILE, problems: [], blocked: null };
    return blocked(NO_SETTINGS_FILE, file, text.error);
  }
  const parsed = parseSettings(text.value);
  if (parsed !== null && parsed.dropped.length === 0) {
    return { read: parsed, problems: [], blocked: null };
  }
  const name: KeptName = { stem: 'settings.unreadable', ending: '.json', atMs };
  const read = parsed ?? NO_SETTINGS_FILE;
  try {
    const kept = parsed === null ? moveAside(file, name) : copyAside(file, name);
    return { read, problems: [unreadable(read.dropped, kept)], blocked: null };
  } catch (cause) {
    const errno = errnoOf(cause);
    if (errno === null) throw cause;
    return blocked(read, file, errno);
  }
}

function unreadable(dropped: readonly string[], kept: string): Problem {
  const what =
    dropped.length === 0
      ? 'Your settings could not be read, so the defaults are in use.'
      : `Some of your settings could not be understood and have their defaults again: ${dropped.join(', ')}.`;
  return problem('settings-unreadable', `${what} The file as it was is now ${kept}.`);
}

function blocked(read: ReadSettings, file: string, errno: string): FoundSettings {
  const found = problem(
    'settings-unreadable',
    `Your settings in ${file} could not be read or put aside. They are left as they are and changes are not saved.`,
    {
      nextStep:
        errno === 'ENOLINK'
          ? 'Connect the disk that it is a link to, then restart Leasehold.'
          : 'Fix the file’s permissions, then restart Leasehold.',
      detail: `${file}: ${errno}`,
    },
  );
  return { read, problems: [found], blocked: found };
}
