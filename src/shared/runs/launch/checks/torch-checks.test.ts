import { describe, expect, it } from 'vitest';
import type { PreflightCheck } from '../launch-plan.ts';
import { checkOf, knownFacts, LOOK, TORCH } from '../preflight.fixture.ts';
import type { PythonLook, Requirements, TorchLook } from '../run-preflight.ts';

const python = (torch: Partial<TorchLook> | null, more: Partial<PythonLook> = {}) => ({
  python: {
    version: '3.11.2',
    has: [],
    torch: torch === null ? null : { ...TORCH, ...torch },
    isLate: false,
    ...more,
  },
});
const CPU_BUILD = { build: { version: '2.5.1+cpu', cuda: null, isHip: false } };
const NEWER = { build: { version: '2.9.0+cu130', cuda: '13.0', isHip: false } };
const NO_CARDS = knownFacts({ gpus: [] });

const torchOn = (trap: string | null, torch: Partial<TorchLook>, arch = 'x86_64') =>
  checkOf('torch', {
    look: { ...python(torch), arch },
    known: { traps: trap === null ? [] : [trap] },
  });

describe('torch and the driver', () => {
  it('fit within one major version of CUDA, and block beyond it (U28)', () => {
    expect(torchOn(null, {})).toMatchObject({
      answer: 'pass',
      gotcha: 'U28',
      says: 'torch 2.5.1+cu124 (CUDA 12.4) fits the driver (CUDA 12.8).',
    });
    const older = { driver: { code: 0, cuda: '12.2', gpus: 1 } };
    expect(torchOn(null, older)).toMatchObject({ answer: 'pass' });
    expect(torchOn(null, NEWER)).toMatchObject({ answer: 'block', gotcha: 'U28' });
  });

  it.each(['RP9', 'VAST5', 'PS11'])('name the entry of the platform: %s', (gotcha) => {
    expect(torchOn(gotcha, NEWER)).toMatchObject({ answer: 'block', gotcha });
  });

  it('take what nvidia-smi said where Python finds no driver, and are unknown without either', () => {
    const torch = { ...NEWER, driver: 'missing' } as const;
    expect(torchOn(null, torch)).toMatchObject({ answer: 'unknown' });
    const machine = {
      bootId: null,
      uptimeS: null,
      initStartTicks: null,
      clockOffsetMs: null,
      isContainer: null,
      cudaMaxVersion: '12.8',
    };
    const check = checkOf('torch', { look: python(torch), known: knownFacts({ machine }) });
    expect(check).toMatchObject({ answer: 'block' });
    expect(torchOn(null, { build: null })).toMatchObject({ answer: 'unknown' });
  });

  it('block where torch was not built for the card, unless the driver can translate', () => {
    const answer = (own: string, built: readonly string[]) =>
      torchOn(null, { cards: { own: [own], built } })?.answer;
    expect(answer('sm_120', ['sm_80', 'sm_90'])).toBe('block');
    expect(answer('sm_120', ['sm_90', 'compute_90'])).toBe('pass');
    expect(answer('sm_86', ['sm_80'])).toBe('pass');
    expect(answer('sm_80', ['sm_86'])).toBe('block');
    expect(answer('sm_90', ['sm_90a'])).toBe('pass');
  });

  it('block where torch cannot be imported, with its own words', () => {
    expect(torchOn(null, { broken: 'OSError: libcudnn.so.9' })).toMatchObject({
      answer: 'block',
      says: "torch can't be imported: OSError: libcudnn.so.9",
    });
  });

  it('block a build without CUDA where there is a card, and name the GH200 on Lambda (LAM13)', () => {
    expect(torchOn(null, CPU_BUILD)).toMatchObject({ answer: 'block', gotcha: 'U31' });
    expect(torchOn('LAM13', CPU_BUILD, 'aarch64')).toMatchObject({
      answer: 'block',
      gotcha: 'LAM13',
    });
    const look = python(CPU_BUILD);
    expect(checkOf('torch', { look, known: NO_CARDS })).toMatchObject({ answer: 'pass' });
    const nothing = { gpus: { facts: null, problem: null } };
    expect(checkOf('torch', { look, known: nothing })).toMatchObject({ answer: 'warn' });
    expect(checkOf('cuda', { look })).toBeNull();
  });

  it('are not asked where Python has no torch', () => {
    const look = python(null);
    for (const id of ['torch', 'cuda', 'torch-copy']) expect(checkOf(id, { look })).toBeNull();
  });
});

describe('CUDA from the environment of the run (U31)', () => {
  const cuda = (torch: Partial<TorchLook>, known = {}): PreflightCheck | null =>
    checkOf('cuda', { look: python(torch), known });

  it('is there when torch says so', () => {
    expect(cuda({})).toMatchObject({
      answer: 'pass',
      gotcha: 'U31',
      says: 'torch reaches 1 GPU from the environment.',
    });
  });

  it('blocks when torch reaches no card, with what the driver says', () => {
    const sees = { isAvailable: false, gpus: 0 };
    expect(cuda({ sees, driver: 'missing' })).toMatchObject({
      answer: 'block',
      gotcha: 'U31',
      says: 'torch reaches no GPU from the environment. Python finds no NVIDIA driver (libcuda.so.1).',
    });
    expect(cuda({ sees, driver: { code: 803, cuda: null, gpus: 0 } })?.says).toContain('error 803');
    expect(cuda({ sees }, NO_CARDS)).toMatchObject({ answer: 'pass' });
  });

  it('is unknown, and never passed, when the time was up', () => {
    expect(cuda({ sees: null })).toMatchObject({
      answer: 'unknown',
      says: 'The NVIDIA driver shows 1 GPU to Python. torch itself was not asked: importing it took longer than 2 s.',
    });
    expect(cuda({ sees: null, driver: null })?.says).toContain('did not answer in time');
  });
});

describe('packages', () => {
  const pinned = {
    packages: { wants: null, locks: null, torchPin: 'torch==2.1.0', requirements: null },
  };
  const installs = { command: 'pip install -r requirements.txt && python train.py' };

  it('warn of an install that replaces the torch of the image (U28), on AutoDL by its entry (AD9)', () => {
    expect(checkOf('torch-pin', { look: pinned })).toBeNull();
    expect(checkOf('torch-pin', { look: pinned, request: installs })).toMatchObject({
      answer: 'warn',
      gotcha: 'U28',
      says: expect.stringContaining(
        '“torch==2.1.0” may replace the installed torch 2.5.1+cu124',
      ) as string,
    });
    expect(
      checkOf('torch-pin', { look: pinned, request: installs, known: { traps: ['AD9'] } }),
    ).toMatchObject({ gotcha: 'AD9' });
    const same = { packages: { ...LOOK.packages, torchPin: 'torch==2.5.1' } };
    expect(checkOf('torch-pin', { look: same, request: installs })).toMatchObject({
      answer: 'pass',
    });
  });

  it('warn of a copy of torch that hides the one of Lambda Stack (LAM7)', () => {
    const at = '/home/ubuntu/.local/lib/python3.10/site-packages/torch/__init__.py';
    const lambda = { traps: ['LAM7'] };
    expect(checkOf('torch-copy', { look: python({ at }), known: lambda })).toMatchObject({
      answer: 'warn',
      gotcha: 'LAM7',
    });
    expect(checkOf('torch-copy', { known: lambda })).toMatchObject({ answer: 'pass' });
    expect(checkOf('torch-copy', { look: python({ at }) })).toBeNull();
  });

  it('drift without a lock file (U29)', () => {
    const lock = (wants: string | null, locks: string | null) =>
      checkOf('lock', { look: { packages: { wants, locks, torchPin: null, requirements: null } } });
    expect(lock('requirements.txt', null)).toMatchObject({ answer: 'warn', gotcha: 'U29' });
    expect(lock('pyproject.toml', 'uv.lock')).toMatchObject({ answer: 'pass', gotcha: 'U29' });
    expect(lock(null, null)).toBeNull();
  });

  it.each<[string, Partial<Requirements>, string, string]>([
    [
      'without pins',
      { loose: 2, named: ['torch', 'numpy'] },
      'warn',
      'torch and numpy to one version',
    ],
    ['of which many are loose', { loose: 9, named: ['a', 'b', 'c'] }, 'warn', 'a, b and 7 more'],
    ['with pins and no hashes', { unhashed: 12 }, 'warn', 'pins its 12 packages without hashes'],
    ['of which some have no hash', { unhashed: 1 }, 'warn', 'without hashes'],
    ['with a hash each', {}, 'pass', 'each with its hash'],
    ['of which not all was read', { isWhole: false }, 'unknown', 'was not read'],
  ])('of a list %s: %j', (_, differs, answer, says) => {
    const requirements = {
      packages: 12,
      loose: 0,
      named: [],
      unhashed: 0,
      isWhole: true,
      ...differs,
    };
    const packages = { wants: 'requirements.txt', locks: null, torchPin: null, requirements };
    expect(checkOf('lock', { look: { packages } })).toMatchObject({
      ...{ answer, gotcha: 'U29' },
      says: expect.stringContaining(says) as string,
    });
  });
});
