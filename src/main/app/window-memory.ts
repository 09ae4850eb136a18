import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Problem } from '../../shared/problem.ts';
import type { Result } from '../../shared/result.ts';
import {
  NOTHING_REMEMBERED,
  rememberedFields,
  type Remembered,
  type RememberedView,
} from '../../shared/settings/remembered.ts';
import type { Log } from '../log/log.ts';
import { errnoOf } from '../storage/file-problem.ts';
import { moveAside } from '../storage/keep-aside.ts';
import { awayTarget, readOwnTextNow } from '../storage/own-text.ts';
import type { JsonObject } from '../storage/settings-file.ts';
import { FORMER_WINDOW_FILE, formerWindowState, REMEMBERED_FILE } from './peek-window-state.ts';
import { parseWindowState, type WindowState } from './window-state.ts';

/** Another layout gets another number: the file of a newer Leasehold is not read halfway. */
const VERSION = 1;

const fileSchema = z.strictObject({
  version: z.literal(VERSION),
  window: z.custom<WindowState>((value) => parseWindowState(value) !== null).nullable(),
  ...rememberedFields,
});

/** As it is in the file. */
export type Memory = Readonly<z.infer<typeof fileSchema>>;

const EMPTY: Memory = { version: VERSION, window: null, ...NOTHING_REMEMBERED };

/** A dragged window moves a hundred times, and each write waits for the disk: only the last is worth one. */
const WRITE_AFTER_MS = 400;

/** Replaces what is in the file; throws where the disk does not hold it afterwards. */
export type Keep = (memory: Memory) => void;

export interface WindowMemory {
  readonly current: () => Remembered;
  /** Of it, what the window shows. */
  readonly view: () => RememberedView;
  /** Holds at once, and is on the disk soon, if the disk will have it. */
  readonly change: (part: Partial<Omit<Memory, 'version'>>) => void;
  /** Returns how to stop. */
  readonly onChange: (listener: (view: RememberedView) => void) => () => void;
  /** Writes what waits; quitting waits for it. */
  readonly settled: () => Promise<void>;
}

export interface MemoryOptions {
  readonly folder: string;
  readonly log: Log;
  /** The settings as they were found: earlier versions kept some of this there. */
  readonly settings: {
    readonly found: JsonObject;
    readonly dropFormer: () => Promise<Result<unknown, Problem>>;
  };
  /** Loads the library that writes; not before there is something to write (decision 7). */
  readonly openStore: (folder: string) => Promise<Keep>;
}

/** What the window remembers for a person. All of it can be done without, so trouble with it goes to the log alone. */
export function openWindowMemory({
  folder,
  log,
  settings,
  openStore,
}: MemoryOptions): WindowMemory {
  // Written from what it does not hold, it would lose all once its disk is back.
  const isAway = awayTarget(join(folder, REMEMBERED_FILE)) !== null;
  if (isAway) log.warn('what the window remembers is on a disk that is away, and stays as it is');
  const read = isAway ? null : readMemory(folder, log);
  let memory = read ?? takeOver(folder, settings.found, log);
  let isDirty = read === null && memory !== EMPTY;
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> | null = null;
  let keep: Keep | null = null;
  let isFailing = false;
  // Once the file holds it, what earlier versions kept elsewhere goes.
  let tidying = read === null ? null : tidy();
  const listeners = new Set<(view: RememberedView) => void>();

  async function tidy(): Promise<void> {
    rmSync(join(folder, FORMER_WINDOW_FILE), { force: true });
    sweepHalves(folder);
    const dropped = await settings.dropFormer();
    if (!dropped.ok) log.warn(dropped.error.message, { code: dropped.error.code });
  }

  async function write(): Promise<void> {
    while (isDirty && !isAway) {
      isDirty = false;
      try {
        keep ??= await openStore(folder);
        keep(memory);
        isFailing = false;
        await (tidying ??= tidy());
      } catch (cause) {
        isDirty = true; // the next change tries again, and quitting does
        keep = null;
        if (!isFailing) log.warn('what the window remembers is not saved', { cause });
        isFailing = true;
        break;
      }
    }
  }

  function flush(): Promise<void> {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    return (writing ??= write().finally(() => (writing = null)));
  }

  function writeSoon(): void {
    timer ??= setTimeout(() => void flush(), WRITE_AFTER_MS);
  }

  if (isDirty) writeSoon();
  return {
    current: () => memory,
    view: () => viewOf(memory),
    change: (part) => {
      memory = { ...memory, ...part };
      isDirty = true;
      writeSoon();
      for (const listener of listeners) listener(viewOf(memory));
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    settled: async () => {
      await tidying;
      await writing;
      await flush();
    },
  };
}

/** What a Leasehold that was killed left half-written; no other one runs on this folder. */
function sweepHalves(folder: string): void {
  for (const name of readdirSync(folder)) {
    const isHalf = [REMEMBERED_FILE, FORMER_WINDOW_FILE].some((file) =>
      name.startsWith(`${file}.tmp-`),
    );
    if (isHalf) rmSync(join(folder, name), { force: true });
  }
}

function viewOf({ fleet, briefed, guessesDeclined }: Memory): RememberedView {
  return { fleet, briefed, guessesDeclined };
}

/** Null: there is none, or it is damaged or of a newer Leasehold, and was put aside as it is. */
function readMemory(folder: string, log: Log): Memory | null {
  const file = join(folder, REMEMBERED_FILE);
  let why: unknown;
  try {
    const read = fileSchema.safeParse(JSON.parse(readOwnTextNow(file)));
    if (read.success) return read.data;
    why = z.prettifyError(read.error);
  } catch (cause) {
    if (errnoOf(cause) === 'ENOENT') return null;
    why = cause;
  }
  try {
    const atMs = Date.now();
    const aside = moveAside(file, { stem: 'remembered.unreadable', ending: '.json', atMs });
    log.warn('what the window remembered is not understood and was put aside', { aside, why });
  } catch (cause) {
    log.warn('what the window remembered can be neither read nor put aside', { why, cause });
  }
  return null;
}

/** From an earlier version: each by itself, so that one that cannot be used costs no other. */
function takeOver(folder: string, found: JsonObject, log: Log): Memory {
  const window = formerWindowState(folder);
  const facts = found['facts'] as JsonObject | undefined;
  const former = {
    fleet: found['fleet'] && { ...NOTHING_REMEMBERED.fleet, ...found['fleet'] },
    briefed: facts?.['briefed'],
    guessesDeclined: facts?.['guessesDeclined'],
    keyOffersDismissed: found['keyOffersDismissed'],
    boxKeys: found['boxKeys'],
  };
  const taken = Object.entries(former).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const read = rememberedFields[name as keyof typeof former].safeParse(value);
    if (!read.success) log.warn('an earlier version remembered what is not understood', { name });
    return read.success ? [[name, read.data] as const] : [];
  });
  if (taken.length === 0 && window === null) return EMPTY;
  return { ...EMPTY, window, ...Object.fromEntries(taken) };
}
