import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../clocks/clock.ts';
import { HOUR_MS } from '../../../meter/rate.ts';
import { problem } from '../../../problem.ts';
import { judgeNeeds, type PushSides } from '../judge-needs.ts';
import { CARD, checkOf, KNOWN, knownFacts, LOOK, NOW_MS, REQUEST } from '../preflight.fixture.ts';
import type { Room, RunPreflight, SecretLook } from '../run-preflight.ts';
import type { RunRequest } from '../run-request.ts';

const GIB = 1024 ** 3;

describe('the GPUs that a run needs', () => {
  const cards = (...names: readonly string[]) =>
    knownFacts({ gpus: names.map((name, index) => ({ ...CARD, index, name })) });
  const judge = (gpus: RunRequest['gpus'], known = cards('NVIDIA A100-SXM4-80GB')) =>
    checkOf('gpu-need', { request: gpus === undefined ? {} : { gpus }, known });

  it('are compared with those that the box has, and never with a platform’s name for a machine', () => {
    expect(judge(undefined)).toBeNull();
    expect(judge({ names: ['H100', 'a100'], gib: 80 })).toMatchObject({
      answer: 'pass',
      says: 'The run needs 1 GPU (H100 or a100) with 80 GiB; the box has NVIDIA A100-SXM4-80GB (80 GiB).',
    });
    expect(judge({ names: ['A100*80'] })).toMatchObject({ answer: 'pass' });
    expect(judge({ names: ['A100.SXM'] })).toMatchObject({ answer: 'block' });
    expect(judge({ names: ['H100'] })).toMatchObject({
      answer: 'block',
      anyway: expect.any(String) as string,
    });
    expect(judge({ gib: 96 })).toMatchObject({ answer: 'block' });
  });

  it('are named with what there is to know where one name stands for several cards (VAST14)', () => {
    const known = { ...cards('NVIDIA A100-PCIE-40GB'), traps: ['VAST14'] };
    expect(
      checkOf('gpu-need', { request: { gpus: { names: ['A100'], gib: 96 } }, known }),
    ).toMatchObject({ answer: 'block', gotcha: 'VAST14' });
    expect(checkOf('gpu-need', { request: { gpus: { names: ['A100'] } }, known })).toMatchObject({
      ...{ answer: 'pass', gotcha: 'VAST14' },
    });
  });

  it('count only where they fit, and only those that the run takes', () => {
    const two = cards('NVIDIA A100', 'NVIDIA T4');
    expect(judge({ names: ['A100'], count: 2 }, two)).toMatchObject({ answer: 'block' });
    expect(judge({ count: 2 }, two)).toMatchObject({ answer: 'pass' });
    const request = { gpus: { count: 2 }, env: { CUDA_VISIBLE_DEVICES: '1' } };
    expect(checkOf('gpu-need', { request, known: two })).toMatchObject({ answer: 'block' });
  });

  it('are unknown where nobody has read them, nothing can, or they do not tell their memory', () => {
    const gpuProblem = problem('gpu-tool-failed', 'The box has no nvidia-smi.');
    const none = { ...knownFacts({ gpus: [] }), gpuProblem };
    expect(checkOf('gpu-need', { request: { gpus: { count: 1 } }, known: none })).toMatchObject({
      answer: 'unknown',
    });
    expect(judge({ count: 1 }, knownFacts({ gpus: [] }))).toMatchObject({ answer: 'block' });
    const old = knownFacts({ atMs: NOW_MS - 24 * HOUR_MS });
    expect(judge({ count: 1 }, old)).toMatchObject({ answer: 'unknown' });
    const silent = knownFacts({ gpus: [{ ...CARD, memoryTotalMiB: null }] });
    expect(judge({ gib: 40 }, silent)).toMatchObject({ answer: 'unknown' });
    expect(judge({ gib: 40, count: 2 }, silent)).toMatchObject({ answer: 'block' });
  });
});

describe('the secrets of a run', () => {
  const judge = (...states: readonly (readonly [string, SecretLook])[]) =>
    checkOf('secrets', {
      request: { secrets: ['A', 'B'] },
      look: { secrets: new Map(states) },
    });

  it('block where they are not on the box, with the way to bring them there (U34)', () => {
    expect(checkOf('secrets')).toBeNull();
    expect(judge(['A', 'there'], ['B', 'there'])).toMatchObject({ answer: 'pass', gotcha: 'U34' });
    expect(judge(['A', 'there'], ['B', 'gone'])).toMatchObject({
      answer: 'block',
      gotcha: 'U34',
      says: 'B is not on the box (~/.config/leasehold/B). Send it with “Send a secret…”, under that name and into that file.',
    });
    for (const state of ['empty', 'other', 'hidden'] as const) {
      expect(judge(['A', state], ['B', 'gone'])).toMatchObject({ answer: 'block' });
    }
    expect(judge(['A', 'there'], ['B', 'open'])).toMatchObject({ answer: 'warn' });
    expect(judge(['A', 'there'])).toMatchObject({ answer: 'unknown' });
  });
});

describe('what a run must reach', () => {
  const request = { internet: ['huggingface.co'], tracker: 'wandb' } as const;
  const judge = (...routes: RunPreflight['routes']) =>
    checkOf('routes', { request, look: { routes }, known: { traps: ['AD1'] } });

  it('is asked, the tracker too, and what did not answer is named with why (AD1)', () => {
    expect(checkOf('routes')).toBeNull();
    expect(checkOf('routes', { request: { tracker: 'tensorboard' } })).toBeNull();
    const offline = { tracker: 'wandb', env: { WANDB_MODE: 'offline' } } as const;
    expect(checkOf('routes', { request: offline })).toBeNull();
    const elsewhere = { tracker: 'wandb', command: 'WANDB_MODE=offline python t.py' } as const;
    expect(checkOf('routes', { request: elsewhere })).toBeNull();
    expect(judge({ kind: 'answered' }, { kind: 'answered' })).toMatchObject({
      answer: 'pass',
      gotcha: 'AD1',
      says: 'https://huggingface.co and https://api.wandb.ai answer.',
    });
    expect(
      judge({ kind: 'answered' }, { kind: 'failed', because: 'nothing answered within 2 s' }),
    ).toMatchObject({
      answer: 'warn',
      says: expect.stringContaining('api.wandb.ai (nothing answered within 2 s)') as string,
    });
    expect(judge({ kind: 'answered' })).toMatchObject({ answer: 'unknown' });
  });
});

describe('how long a run takes', () => {
  const clock = (inHours: number, entry: Clock['entry'] = null): Clock => ({
    id: 'x.y',
    danger: 'run',
    event: 'Rental ends',
    trigger: 'The rental ends',
    consequence: 'the box is deleted',
    loses: [],
    due: { kind: 'at', atMs: NOW_MS + inHours * HOUR_MS, isEstimate: false },
    known: { kind: 'told' },
    readAt: '',
    stops: null,
    entry,
  });
  const judge = (hours: number | undefined, ...clocks: readonly Clock[]) =>
    checkOf('time', { request: hours === undefined ? {} : { hours }, known: { clocks } });

  it('is compared with the timers of the box', () => {
    expect(judge(undefined, clock(1))).toBeNull();
    expect(judge(6)).toMatchObject({ answer: 'pass' });
    expect(judge(6, clock(7), clock(90))).toMatchObject({ answer: 'pass' });
    expect(judge(6, clock(90), clock(5))).toMatchObject({
      answer: 'warn',
      says: expect.stringMatching(
        /^The run is expected to take 6 h, which is longer than what is left: The rental ends, .* Then: the box is deleted\.$/,
      ) as string,
    });
    // A box that works is not idle.
    expect(judge(6, clock(5, { kind: 'time', what: 'idle-stop' }))).toMatchObject({
      answer: 'pass',
    });
  });
});

it('warns of a box of a platform that the request is not meant for', () => {
  const request = { platforms: ['runpod', 'vastai'] };
  expect(checkOf('platform')).toBeNull();
  expect(checkOf('platform', { request })).toMatchObject({ answer: 'unknown' });
  expect(checkOf('platform', { request, known: { platform: 'runpod' } })).toMatchObject({
    answer: 'pass',
  });
  expect(checkOf('platform', { request, known: { platform: 'lambda' } })).toMatchObject({
    answer: 'warn',
    says: 'The request is meant for runpod, vastai, and this box is of lambda.',
  });
});

it('counts a copy of the data for each worker and for the run, against the memory that is left (U9)', () => {
  expect(checkOf('memory', { request: { workers: { count: 8, gib: 4 } } })).toMatchObject({
    answer: 'pass',
  });
  expect(checkOf('memory', { request: { workers: { count: 16, gib: 4 } } })).toMatchObject({
    answer: 'block',
    gotcha: 'U9',
    says: '16 workers and the run itself hold 4 GiB each, 68 GiB in all; 60.0 GiB of the 64.0 GiB that this container may use are free. At most 14 fit.',
  });
});

/** Of three files, so many that are there already are changed. */
function pushOf(replaced: number): PushSides {
  const none = { count: 0, first: [] };
  return {
    kept: {
      shown: {
        ...{ from: '/here', to: '/root/w', commit: null, isDirty: false, tree: '' },
        ...{ files: 3, bytes: 3, send: { ...none, bytes: 0 }, gone: none, isDeleting: false },
        ...{ kept: none, leftOut: [], large: none, fixed: none },
        replaced: { count: replaced, first: [] },
      },
    },
    look: {
      ...{ folder: '/root/w', kind: 'open', near: 'open', room: null, hasTar: true },
      ...{ hasHasher: true, record: null, noted: null, seen: new Map() },
    },
    withReturns: [],
    inTheWay: [],
  };
}

it('code that is pushed where a free plan shows it to everybody is told of (PS7)', () => {
  const judge = (traps: readonly string[], push: PushSides | null = pushOf(0)) =>
    judgeNeeds(REQUEST, {
      ...{ look: LOOK, push, runs: 1, asked: [] },
      known: { ...KNOWN, traps },
    }).find(({ id }) => id === 'readers');
  expect(judge(['PS7'])).toMatchObject({ answer: 'unknown', gotcha: 'PS7' });
  expect(judge(['PS7'], null)).toBeUndefined();
  expect(judge([])).toBeUndefined();
});

describe('code that is pushed into a folder in which something runs (U2)', () => {
  const judge = (replaced: number, atWork: RunPreflight['atWork']) =>
    judgeNeeds(REQUEST, {
      look: { ...LOOK, atWork },
      push: pushOf(replaced),
      ...{ runs: 1, asked: [], known: KNOWN },
    }).find(({ id }) => id === 'at-work');
  const train = { pid: 7, script: 'deep/train.py' };

  it('changes no file under it unless a person wants that', () => {
    expect(judge(2, [train, train])).toMatchObject({
      answer: 'block',
      gotcha: 'U2',
      says: 'The push changes 2 files of the folder, in which deep/train.py runs (pid 7 and 1 more). Push into another folder, or wait for its end.',
      anyway: expect.any(String) as string,
    });
    expect(judge(1, [])).toMatchObject({ answer: 'pass' });
    expect(judge(1, null)).toMatchObject({ answer: 'unknown' });
    expect(judge(0, [train])).toBeUndefined();
  });
});

describe('the disk that a run needs', () => {
  const judge = (
    request: Partial<RunRequest>,
    { runs = 1, look = {} }: { readonly runs?: number; readonly look?: Partial<RunPreflight> } = {},
  ) =>
    judgeNeeds(
      { ...REQUEST, ...request },
      { look: { ...LOOK, ...look }, push: null, runs, asked: [], known: KNOWN },
    );
  const own = { path: '/data/out', type: 'ext4', mount: '/data' };
  const small: Room = { bytes: 10 * GIB, freeBytes: GIB, inodes: 100, freeInodes: 10 };

  it('is its own and checkpoints × cells, against the free space (U6, U7)', () => {
    expect(judge({})).toEqual([]);
    const request = { diskGib: 10, checkpoints: { gib: 2.5, kept: 3 } };
    expect(judge(request)).toMatchObject([
      {
        id: 'need',
        answer: 'pass',
        says: 'The run needs 10 GiB, checkpoints 7.5 GiB (2.5 GiB × 3), 17.5 GiB in all; 50.0 GiB are free.',
      },
    ]);
    expect(judge(request, { runs: 8 })).toMatchObject([
      {
        id: 'need',
        answer: 'block',
        gotcha: 'U7',
        anyway: expect.stringContaining('disk fills up') as string,
      },
    ]);
  });

  it('is told with what there is to know of a disk that cannot grow (VAST10)', () => {
    const known = { ...KNOWN, traps: ['VAST10'] };
    const request = { ...REQUEST, diskGib: 60 };
    expect(
      judgeNeeds(request, { look: LOOK, push: null, runs: 1, asked: [], known }),
    ).toMatchObject([{ id: 'need', answer: 'block', gotcha: 'VAST10' }]);
    const room = { ...small, freeBytes: GIB / 2 };
    expect(checkOf('space', { look: { room }, known })).toMatchObject({
      ...{ answer: 'warn', gotcha: 'VAST10' },
    });
    expect(checkOf('space', { look: { room } })).toMatchObject({ gotcha: 'U7' });
  });

  it('is asked of each disk for what will lie on it', () => {
    const look = { resultsDisk: own, resultsRoom: small };
    const request = { diskGib: 10, checkpoints: { gib: 2 } };
    expect(judge(request, { look })).toMatchObject([
      {
        answer: 'block',
        says: 'The run needs 10 GiB; 50.0 GiB are free on the disk of the folder. Checkpoints 2.0 GiB; 1.0 GiB are free on that of the results.',
      },
    ]);
    expect(judge(request, { look: { ...look, resultsRoom: null } })).toMatchObject([
      { answer: 'unknown' },
    ]);
  });

  it('is the sum of what lies on one disk, whatever lies on another between', () => {
    // The folder and the copy on one, the results on another.
    const look = {
      ...{ resultsDisk: own, resultsRoom: { ...small, freeBytes: 90 * GIB } },
      ...{ copyDisk: LOOK.folderDisk, copyRoom: LOOK.room },
    };
    const request = {
      ...{ diskGib: 30, checkpoints: { gib: 30 } },
      copy: { to: '~/kept', prune: [] },
    };
    expect(judge(request, { look })).toMatchObject([
      {
        answer: 'block',
        says: 'The run needs 30 GiB, its copy 30.0 GiB, 60.0 GiB in all; 50.0 GiB are free on the disk of the folder. Checkpoints 30.0 GiB; 90.0 GiB are free on that of the results.',
      },
    ]);
  });

  it('counts what is copied on the disk that it is copied to, for each cell (U7, U33)', () => {
    const request = { checkpoints: { gib: 2 }, copy: { to: '/data/x', prune: [] } };
    expect(judge(request, { runs: 3, look: { copyDisk: own, copyRoom: small } })).toMatchObject([
      {
        answer: 'block',
        says: 'Checkpoints 6.0 GiB (2 GiB × 3); 50.0 GiB are free. Their copies 6.0 GiB (2 GiB × 3); 1.0 GiB are free where the results are copied to.',
      },
    ]);
    const same = { copyDisk: LOOK.folderDisk, copyRoom: LOOK.room };
    expect(judge(request, { runs: 3, look: same })).toMatchObject([
      {
        answer: 'pass',
        says: 'Checkpoints 6.0 GiB (2 GiB × 3), their copies 6.0 GiB (2 GiB × 3), 12.0 GiB in all; 50.0 GiB are free.',
      },
    ]);
  });

  it('counts files against inodes, where the disk counts any (U7, AD4)', () => {
    expect(judge({ files: 500 })).toMatchObject([{ id: 'files-need', answer: 'pass' }]);
    expect(judge({ files: 500 }, { runs: 2 })).toMatchObject([
      {
        answer: 'block',
        gotcha: 'U7',
        says: expect.stringContaining('1000 files (500 × 2); 900 inodes are free') as string,
      },
    ]);
    expect(
      judge({ files: 5000 }, { look: { resultsDisk: own, resultsRoom: { ...small, inodes: 0 } } }),
    ).toMatchObject([{ answer: 'pass' }]);
  });
});
