import type {
  EndedProcess,
  GpuHolder,
  HeldCard,
  HolderGuard,
  HoldersLook,
} from '../telemetry/gpu-holders.ts';
import { readMarkedSections, type MarkedSections } from './marked-sections.ts';
import { numberOf, parseQuery, textOf } from './query.ts';
import {
  ageOf,
  readBootId,
  readPairs,
  readTicks,
  readUptimeS,
  whole,
  type Pairs,
} from './word-lines.ts';

/** A look, and what is needed to act on it later. */
export interface ParsedHolders {
  readonly look: HoldersLook;
  /** False: the output ended in the middle. */
  readonly isWhole: boolean;
}

/** Reads the output of resources/onbox/gpu-holders.sh. */
export function parseGpuHolders(stdout: string, mark: string, atMs: number): ParsedHolders {
  const sections = readMarkedSections(stdout, mark);
  const machine = readPairs(sections.text('machine') ?? '');
  const held = readPairs(sections.text('holders') ?? '');
  const base = { atMs, cards: readCards(sections) };
  const because = whyUnknown(held);
  return {
    look:
      because === null
        ? { ...base, kind: 'known', ...readKnown(sections, machine, held) }
        : { ...base, kind: 'unknown', because },
    isWhole: sections.text('whole') !== null,
  };
}

function whyUnknown(held: Pairs): string | null {
  const [way] = held.get('way') ?? [];
  if (way === undefined) return 'the box did not answer the question';
  if (way === 'none')
    return 'this box has neither fuser nor lsof, and its process table cannot be read';
  if (!held.has('node')) return 'this box shows no device nodes /dev/nvidia*';
  if (held.has('broken')) return `${way} failed with exit code ${held.get('broken')?.[0] ?? ''}`;
  return null;
}

function readKnown(
  sections: MarkedSections,
  machine: Pairs,
  held: Pairs,
): {
  readonly way: 'fuser' | 'lsof' | 'proc';
  readonly holders: readonly GpuHolder[];
  readonly incomplete: string | null;
} {
  const way = held.get('way')?.[0];
  const isRoot = machine.get('uid')?.[0] === '0';
  return {
    way: way === 'fuser' || way === 'lsof' ? way : 'proc',
    holders: readHolders(sections, machine, held),
    incomplete: isRoot
      ? null
      : 'Leasehold is not logged in as root, so other users’ processes cannot be seen.',
  };
}

function readHolders(sections: MarkedSections, machine: Pairs, held: Pairs): readonly GpuHolder[] {
  const own = new Set(machine.get('own') ?? []);
  const uid = machine.get('uid')?.[0] ?? null;
  const uuids = uuidsByNode(machine);
  const listed = readListed(sections);
  const [uptimeS, ticks] = [readUptimeS(machine), readTicks(machine)];
  const nodes = nodesByPid(held);
  const texts = new Map(
    (sections.text('processes') ?? '')
      .split(/^pid /m)
      .slice(1)
      .map((part) => [whole(part.split('\n', 1)[0]?.trim()), part] as const),
  );
  return [...nodes].flatMap(([pid, ofPid]): readonly GpuHolder[] => {
    const text = texts.get(pid);
    // It ended between the two questions, or it is beyond the bound; then the next look tells.
    if (text === undefined) return [];
    const pairs = readPairs(text);
    const one = (word: string): string | null => pairs.get(word)?.[0] ?? null;
    const startTicks = whole(one('start') ?? undefined);
    const state = /^[A-Za-z]$/.exec(one('state') ?? '')?.[0] ?? null;
    const program = one('program');
    const holder = {
      bootId: readBootId(machine),
      pid,
      startTicks,
      nodes: ofPid,
      gpus: ofPid.flatMap((node) => uuids.get(node) ?? []),
      user: one('user'),
      mayBeEnded: uid === null || one('uid') === null ? null : uid === '0' || uid === one('uid'),
      state,
      command: one('command') ?? program,
      ageS: ageOf(startTicks, uptimeS, ticks),
      parentPid: whole(one('parent') ?? undefined),
      parentCommand: one('parent') === '1' ? null : one('parent_command'),
      isListed: listed === null ? null : listed.has(pid),
    };
    return [{ ...holder, guard: guardOf(holder, own.has(String(pid)), program) }];
  });
}

function guardOf(
  { pid, startTicks, state, command }: Omit<GpuHolder, 'guard'>,
  isOwn: boolean,
  program: string | null,
): HolderGuard | null {
  if (pid <= 1) return 'init';
  if (isOwn) return 'own-session';
  if (state === 'Z' || state === 'X') return 'zombie';
  if (startTicks === null) return 'no-identity';
  const names = [program, command?.split(' ')[0] ?? null];
  const isService = names.some((name) => name?.split('/').at(-1) === 'nvidia-persistenced');
  return isService ? 'driver-service' : null;
}

function nodesByPid(held: Pairs): ReadonlyMap<number, readonly number[]> {
  const all = new Map<number, readonly number[]>();
  for (const line of held.get('held') ?? []) {
    const [node, pid] = line.split(' ').map((word) => whole(word));
    if (node === undefined || node === null || pid === undefined || pid === null) continue;
    all.set(
      pid,
      [...new Set([...(all.get(pid) ?? []), node])].sort((a, b) => a - b),
    );
  }
  return all;
}

/** From the driver's own files, where the box shows them: the number of a node is not the index of its card. */
function uuidsByNode(machine: Pairs): ReadonlyMap<number, string> {
  const all = new Map<number, string>();
  for (const line of machine.get('card') ?? []) {
    const [, minor, uuid] = /^(\d{1,4}) (GPU-[0-9a-f-]{8,60})$/.exec(line) ?? [];
    if (minor !== undefined && uuid !== undefined) all.set(Number(minor), uuid);
  }
  return all;
}

/** Null: nvidia-smi did not answer. */
function readListed(sections: MarkedSections): ReadonlySet<number> | null {
  const text = sections.text('apps');
  if (text === null || sections.code('apps') !== 0) return null;
  return new Set(parseQuery(text).rows.flatMap((row) => numberOf(row, 'pid', null) ?? []));
}

function readCards(sections: MarkedSections): readonly HeldCard[] {
  return parseQuery(sections.text('gpus') ?? '').rows.flatMap((row): readonly HeldCard[] => {
    const index = numberOf(row, 'index', null);
    const uuid = textOf(row, 'uuid');
    if (index === null || uuid === null) return [];
    return [
      {
        index,
        uuid,
        memoryUsedMiB: numberOf(row, 'memory.used', 'MiB'),
        memoryTotalMiB: numberOf(row, 'memory.total', 'MiB'),
      },
    ];
  });
}

/** Reads the output of resources/onbox/end-processes.sh; null: it did not come to its end. */
export function parseEndedProcesses(stdout: string, mark: string): readonly EndedProcess[] | null {
  const outcomes = new Map<number, EndedProcess>();
  let isWhole = false;
  for (const line of stdout.split('\n')) {
    if (!line.startsWith(`${mark} `)) continue;
    const rest = line.slice(mark.length + 1).trim();
    if (rest === 'whole') isWhole = true;
    const [, digits, word, state] =
      /^(\d{1,9}) (ended|gone|other|denied|protected|left)(?: ([A-Za-z]))?$/.exec(rest) ?? [];
    if (digits === undefined || word === undefined) continue;
    const pid = Number(digits);
    outcomes.set(pid, { pid, outcome: word as EndedProcess['outcome'], state: state ?? null });
  }
  return isWhole ? [...outcomes.values()] : null;
}
