import { createHash } from 'node:crypto';
import type { ProvenResults } from '../files/judge-delete.ts';
import type { LinkLead, OtherResult, ResultFile } from '../runs/launch/launched-run.ts';
import { doAtOnce } from '../steps.ts';
import type { PulledFile } from '../transfer/pull.ts';
import { elsewhere } from './blockers/place-blockers.ts';
import { copiesOf, digestInSteps, judgeFilesInSteps } from './blockers/result-files.ts';
import { foundNothing, MACHINE } from './found-on-box.fixture.ts';
import type { FoundOnBox, OutsideFile } from './found-on-box.ts';
import { openBlockers, type Blocker, type Inspection } from './inspection.ts';
import { judgeInspectionInSteps, type JudgedBeside } from './judge-inspection.ts';

export const NOW = 1_800_000_000_000;
export const COPIES_HOLD_MS = 3600_000;
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export const listed = (path: string, more: Partial<ResultFile> = {}): ResultFile => ({
  ...{ path, bytes: 10, modifiedAtMs: 5, stamp: `1 1 ${path}` },
  ...more,
});

/** Among results, and leading out of them. */
export const linkTo = (target: string, leads: Partial<LinkLead> = {}): OtherResult => ({
  ...{ ...listed('best'), kind: 'link' },
  leads: { target, path: target, isInside: false, ...leads },
});

/** Proven as it is listed. */
export const pulled = (path: string, more: Partial<PulledFile> = {}): PulledFile => ({
  ...{ ...listed(path), keep: 'unknown', mark: 'equal', level: 'hashed' },
  ...{ sha256: sha256(path), loaded: null, says: null },
  ...more,
});

export interface Files {
  readonly there?: readonly ResultFile[];
  readonly others?: readonly OtherResult[];
  readonly proven?: readonly PulledFile[] | null;
  readonly sets?: ProvenResults['sets'];
}

export const FILES = ['a.pt', 'b.json'] as const;

export function foundWith(
  { there = FILES.map((path) => listed(path)), others = [], proven, sets = [] }: Files = {},
  more: Partial<FoundOnBox> = {},
): FoundOnBox {
  const files = proven === undefined ? FILES.map((path) => pulled(path)) : proven;
  const results = {
    ...{ runId: 'r-1', runName: 'base', path: '/w/out', listed: there, others },
    proven:
      files === null
        ? null
        : { evidence: 3, to: '/home/out', files, listed: there, sets, tellsWrites: true },
  };
  return {
    ...foundNothing(NOW),
    ...{ runs: [{ id: 'r-1', name: 'base', isOver: true }], results: [results] },
    ...more,
  };
}

/** As a person is asked about it. */
export function elsewhereOf(found: FoundOnBox): { id: string; loss: string } {
  const { id, loss } = elsewhere(found, sha256);
  return { id, loss: loss ?? '' };
}

export const judged = (found: FoundOnBox) => doAtOnce(judgeFilesInSteps(found));

/** All that a person and this computer have done: `elsewhere` is accepted, the copies are read. */
export function besideFor(found: FoundOnBox, more: Partial<JudgedBeside> = {}): JudgedBeside {
  const copies = doAtOnce(digestInSteps(copiesOf(judged(found)), sha256));
  return {
    ...{ atMs: NOW, monoMs: 1000, holdsMs: COPIES_HOLD_MS },
    ...{ stamps: 'same', evidenceFault: null, needs: 'hashed', sha256 },
    read: { atMs: NOW, monoMs: 1000, machine: MACHINE, copies, stamps: 'same', faults: [] },
    losses: [{ ...elsewhereOf(found), says: '', because: 'nothing else', atMs: NOW - 1 }],
    ...more,
  };
}

export const judge = (found: FoundOnBox, more: Partial<JudgedBeside> = {}): Inspection =>
  doAtOnce(judgeInspectionInSteps(found, judged(found), besideFor(found, more)));

export const openIn = (inspection: Inspection): readonly string[] =>
  openBlockers(inspection).map(({ id }) => id);

export function blockerOf(inspection: Inspection, id: string): Blocker {
  const found = inspection.blockers.find((each) => each.id === id);
  if (found === undefined) throw new Error(`${id} was not raised`);
  return found;
}

export const PROCESS = { key: 'boot-7-9', pid: 7, command: 'python train.py', holdsGpu: true };
export const DAMAGED = { kind: 'damaged', format: 'npy', because: 'cut off' } as const;
export const SET = {
  kind: 'split-gguf',
  path: 'm-00001-of-2.gguf',
  says: 'a part is missing',
} as const;

export const QUEUE = {
  id: 'r-1',
  name: 'grid',
  isPaused: false,
  isStopping: false,
  cells: ['lr-1'],
};
export const OTHERS = { boxName: 'train-b', tier: null, path: '/shared/out' };
export const SWEEP = {
  id: 's-1',
  name: 'grid',
  cells: 3,
  open: [],
  which: [],
  away: [],
  because: null,
};
export const OFFLINE = 'wandb/offline-run-20260101_101010-abcd/run-abcd.wandb';
export const stray = (path: string, tier: string | null): OutsideFile => ({
  ...{ path, tier, bytes: 5_000_000, modifiedAtMs: 7 },
});
export const outsideWith = (...files: readonly OutsideFile[]): FoundOnBox['outside'] => ({
  ...foundNothing(NOW).outside,
  files,
});

export const first = (file: Partial<ResultFile>): Files => ({
  there: [listed('a.pt', file), listed('b.json')],
});
export const proving = (file: Partial<PulledFile>): Files => ({
  proven: [pulled('a.pt', file), pulled('b.json')],
});
