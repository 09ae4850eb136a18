/** Names a process beyond doubt. */
export interface ProcessRef {
  /** Which life of its machine; null: the box did not tell, or an older Leasehold did not keep it. */
  readonly bootId: string | null;
  readonly pid: number;
  /** When it began, in clock ticks since the boot: its number alone may be another process's by now. */
  readonly startTicks: number;
}

/** Of whatever is one, nothing but what names it. */
export function processRefOf({ bootId, pid, startTicks }: ProcessRef): ProcessRef {
  return { bootId, pid, startTicks };
}

/** One that is known by its number, where nobody has told yet, or ever will, when it began: until then it may be another. */
export interface NumberedProcess extends Omit<ProcessRef, 'startTicks'> {
  readonly startTicks: ProcessRef['startTicks'] | null;
}

/** Null: nobody can tell it from the next one that has its number. */
export function processRefIn({ startTicks, ...process }: NumberedProcess): ProcessRef | null {
  return startTicks === null ? null : processRefOf({ ...process, startTicks });
}

/** The same among what one look tells, which names the life of the machine once for all of it. */
export type ProcessInLook = Omit<ProcessRef, 'bootId'>;

/** Two lives of a machine that are both known, and differ, tell processes apart; a life that is not known does not. */
export function isSameProcess(
  a: ProcessInLook & Partial<ProcessRef>,
  b: ProcessInLook & Partial<ProcessRef>,
): boolean {
  const isOtherLife = typeof a.bootId === 'string' && typeof b.bootId === 'string';
  if (isOtherLife && a.bootId !== b.bootId) return false;
  return a.pid === b.pid && a.startTicks === b.startTicks;
}

/** Within one life of the machine. It is kept, in memories of patrols and in ids of waiters' folders: never another form. */
export function processKey({ pid, startTicks }: ProcessInLook): string {
  return `${String(pid)}/${String(startTicks)}`;
}

/** The other way round; null: it is no such key. */
export function parseProcessKey(key: string): ProcessInLook | null {
  const [, pid, startTicks] = /^(\d{1,10})\/(\d{1,20})$/.exec(key) ?? [];
  return pid === undefined ? null : { pid: Number(pid), startTicks: Number(startTicks) };
}

/**
 * Over all lives of the machine, as far as this one is known: a container that is started anew gives the same numbers again. It is kept
 * with what a patrol found, where an older Leasehold left out the life.
 */
export function processRefKey(ref: ProcessRef): string {
  return ref.bootId === null ? processKey(ref) : `${processKey(ref)}@${ref.bootId}`;
}

/** The other way round; null: it is no such key. */
export function parseProcessRefKey(key: string): ProcessRef | null {
  const [, inLook = key, bootId = null] = /^([^@]*)@(.+)$/.exec(key) ?? [];
  const process = parseProcessKey(inLook);
  return process === null ? null : { bootId, ...process };
}
