import { describe, expect, it } from 'vitest';
import type { ShippedPlatform } from '../../shared/profiles/platform-names.ts';
import type { PreflightCheck } from '../../shared/runs/launch/launch-plan.ts';
import { copyFolder } from '../../shared/runs/launch/copy-plan.ts';
import { checkOf, NOW_MS } from '../../shared/runs/launch/preflight.fixture.ts';
import type { PlaceDisk, RunPreflight } from '../../shared/runs/launch/run-preflight.ts';
import type { RunRequest } from '../../shared/runs/launch/run-request.ts';
import { shippedProfile, shippedWatched } from '../profiles/profiles.fixture.ts';

interface Differs {
  readonly look?: Partial<RunPreflight>;
  readonly request?: Partial<RunRequest>;
  readonly idleStopAtMs?: number | null;
}

function on(
  platform: ShippedPlatform,
  id: string,
  { look = {}, request = {}, idleStopAtMs = null }: Differs = {},
): PreflightCheck | null {
  const { accelerators, traps } = shippedWatched(platform);
  const profile = shippedProfile(platform);
  const known = { platform, profile, accelerators, traps, idleStopAtMs };
  return checkOf(id, { look, request, known });
}

it('a proxy that is meant for one download is warned of where the whole run has it (GS2)', () => {
  const judge = (platform: ShippedPlatform, isSet: RunPreflight['isSet']) =>
    on(platform, 'left-proxy', { look: { isSet } });
  expect(judge('gpushare', new Set(['accelerator']))).toMatchObject({
    answer: 'warn',
    gotcha: 'GS2',
    says: expect.stringContaining('a fetch step of the request') as string,
  });
  expect(judge('generic-ssh', new Set(['accelerator']))).toMatchObject({ answer: 'warn' });
  expect(judge('gpushare', new Set())).toMatchObject({ answer: 'pass' });
  expect(judge('gpushare', null)).toMatchObject({ answer: 'unknown' });
  expect(judge('generic-ssh', new Set())).toBeNull();
});

describe('where the results of a run lie', () => {
  const tier = (platform: ShippedPlatform, path: string, mount: string | null = '/') => {
    const resultsDisk: PlaceDisk = { path, type: 'overlay', mount };
    return on(platform, 'tier', { look: { resultsDisk, home: '/root' } });
  };

  it.each<[ShippedPlatform, string, string, string]>([
    ['gpushare', '/root/w/out', 'warn', 'CN1'],
    ['lanrui', '/home/user/x', 'warn', 'CN1'],
    ['featurize', '/root/out', 'warn', 'CN1'],
    ['colab', '/content/out', 'warn', 'NB4'],
    ['kaggle', '/kaggle/temp/out', 'warn', 'NB4'],
    ['kaggle', '/kaggle/working/out', 'pass', 'NB4'],
    ['runpod', '/root/w/out', 'warn', 'RP2'],
    ['slurm', '/tmp/out', 'unknown', 'SLURM5'],
    ['slurm', '/root/out', 'pass', 'SLURM5'],
  ])('on %s, %s: %s (%s)', (platform, path, answer, gotcha) => {
    const check = tier(platform, path);
    // That it is no storage of the platform at all needs no entry.
    expect(check).toMatchObject(answer === 'unknown' ? { answer } : { answer, gotcha });
  });

  it('is told in the words of the platform', () => {
    expect(tier('runpod', '/root/w/out')?.says).toBe(
      'The results folder lies on the container disk, which does not survive a stop. Overlay; caches land here by default. To have the results copied to storage that does, enter “durable” for their copy.',
    );
    expect(tier('runpod', '/workspace/out', '/workspace')?.says).toContain(
      'lies on the volume disk',
    );
    expect(tier('autodl', '/root/autodl-fs/x', '/root/autodl-fs')?.says).toContain(
      'survives a stop and the end of the box',
    );
    expect(tier('lambda', '/lambda/nfs/mine/out', '/lambda/nfs/mine')).toMatchObject({
      answer: 'unknown',
      says: expect.stringContaining('NFS filesystem') as string,
    });
  });

  it('is on Lambda no filesystem that can be attached later on (LAM2)', () => {
    expect(tier('lambda', '/home/ubuntu/out')).toMatchObject({ answer: 'warn', gotcha: 'LAM2' });
  });

  it('costs nothing up to a size, of which the run says whether it is enough (PS10)', () => {
    const disk = (path: string): PlaceDisk => ({ path, type: 'nfs', mount: '/storage' });
    const judge = (request: Partial<RunRequest>, look: Partial<RunPreflight> = {}) =>
      on('paperspace', 'free-part', {
        ...{ request, look: { resultsDisk: disk('/storage/out'), ...look } },
      });
    expect(judge({})).toBeNull();
    expect(judge({ checkpoints: { gib: 2, kept: 3 } })).toMatchObject({
      ...{ answer: 'warn', gotcha: 'PS10' },
      says: expect.stringContaining('needs 6 GiB of the notebook shared, of which 5 GB') as string,
    });
    expect(judge({ checkpoints: { gib: 2 } })).toMatchObject({ answer: 'pass' });
    const folderDisk = disk('/storage/w');
    const request = { checkpoints: { gib: 2 }, diskGib: 3 };
    expect(judge(request)).toMatchObject({ answer: 'pass' });
    expect(judge(request, { folderDisk })).toMatchObject({ answer: 'warn' });
    const resultsDisk = { path: '/notebooks/out', type: 'nfs', mount: '/notebooks' };
    expect(judge({ checkpoints: { gib: 20 } }, { resultsDisk })).toBeNull();
  });

  it('is no storage of the platform where another mount is in between', () => {
    expect(tier('runpod', '/mnt/bucket/out', '/mnt/bucket')).toMatchObject({
      answer: 'unknown',
      says: expect.stringContaining('RunPod') as string,
    });
  });

  it('is the working folder where no results folder is told, and nothing where nobody knows whose box it is', () => {
    const folderDisk = { path: '/root/w', type: 'overlay', mount: '/' };
    expect(
      on('gpushare', 'tier', { look: { folderDisk }, request: { results: null } })?.says,
    ).toContain('The working folder lies on');
    expect(checkOf('tier')).toBeNull();
  });

  it('is not the netdisk of a machine that has none (GS3)', () => {
    expect(tier('gpushare', '/hy-netdisk/out')).toMatchObject({ answer: 'warn', gotcha: 'GS3' });
    expect(tier('gpushare', '/hy-netdisk/out', '/hy-netdisk')).toMatchObject({ answer: 'pass' });
  });
});

describe('an idle stop (CN2)', () => {
  it('is unknown until somebody enters it, then a warning with its time', () => {
    expect(on('matpool', 'idle-stop')).toMatchObject({
      answer: 'unknown',
      gotcha: 'CN2',
      says: expect.stringContaining('console policy') as string,
    });
    expect(on('matpool', 'idle-stop', { idleStopAtMs: NOW_MS + 3_600_000 })).toMatchObject({
      answer: 'warn',
      gotcha: 'CN2',
      says: expect.stringContaining('2027') as string,
    });
    expect(on('matpool', 'idle-stop', { idleStopAtMs: NOW_MS - 1 })).toMatchObject({
      answer: 'unknown',
    });
  });

  it('is certain where the platform has one, and no question where it has none', () => {
    expect(on('colab', 'idle-stop')).toMatchObject({ answer: 'warn', gotcha: null });
    expect(on('runpod', 'idle-stop')).toBeNull();
    expect(checkOf('idle-stop')).toBeNull();
  });
});

describe('the way out of a box', () => {
  it('needs the proxy of AutoDL in what runs (AD1)', () => {
    expect(on('autodl', 'proxy')).toMatchObject({
      answer: 'warn',
      gotcha: 'AD1',
      says: expect.stringContaining('sets none on this box') as string,
    });
    expect(on('autodl', 'proxy', { request: { profile: false } })).toMatchObject({
      answer: 'warn',
      gotcha: 'AD1',
      says: expect.stringContaining('source /etc/network_turbo') as string,
    });
    const activate = 'source /etc/network_turbo';
    expect(on('autodl', 'proxy', { request: { activate } })).toMatchObject({ answer: 'pass' });
    const isSet = new Set(['https_proxy']);
    expect(on('autodl', 'proxy', { look: { isSet } })).toMatchObject({ answer: 'pass' });
    expect(on('autodl', 'proxy', { look: { isSet: null } })).toMatchObject({ answer: 'unknown' });
    for (const platform of ['runpod', 'slurm', 'gpushare', 'matpool'] as const) {
      expect(on(platform, 'proxy')).toBeNull();
    }
  });

  it('needs a mirror for models where the hub is far (AD2)', () => {
    const python = { version: '3.11.2', has: ['huggingface_hub'], torch: null, isLate: false };
    expect(on('autodl', 'mirror')).toBeNull();
    expect(on('autodl', 'mirror', { look: { python } })).toMatchObject({
      answer: 'warn',
      gotcha: 'AD2',
      says: expect.stringContaining('HF_ENDPOINT=https://hf-mirror.com') as string,
    });
    const request = { command: 'hf download x', env: { HF_ENDPOINT: 'https://x' } };
    expect(on('autodl', 'mirror', { request })).toMatchObject({ answer: 'pass' });
    expect(on('matpool', 'mirror', { look: { python } })).toMatchObject({
      answer: 'warn',
      gotcha: null,
    });
    expect(on('runpod', 'mirror', { look: { python } })).toBeNull();
    expect(on('autodl', 'mirror', { look: { python, isSet: null } })).toMatchObject({
      answer: 'unknown',
    });
  });
});

describe('a copy of the results', () => {
  const copy = { to: 'durable', prune: [] };
  const check = (
    platform: ShippedPlatform,
    id: 'copy' | 'tier',
    disk: Partial<PlaceDisk>,
    to = copy.to,
  ) =>
    on(platform, id, {
      request: { copy: { ...copy, to } },
      look: { copy: 'open', copyDisk: { path: '/x', type: 'nfs', mount: '/x', ...disk } },
    });

  it.each<[ShippedPlatform, string | null]>([
    ['autodl', '/root/autodl-fs/leasehold-results'],
    ['runpod', '/workspace/leasehold-results'],
    ['gpushare', '/hy-netdisk/leasehold-results'],
    ['lanrui', '/home/user/netdisk/data/leasehold-results'],
    ['generic-ssh', '~/leasehold-results'],
    ['lambda', null],
  ])('goes on %s to %s, where nobody names another place', (platform, folder) => {
    const profile = shippedProfile(platform);
    expect(copyFolder(copy, profile)).toBe(folder);
    expect(copyFolder({ ...copy, to: '/mine' }, profile)).toBe('/mine');
    expect(on(platform, 'copy', { request: { copy } })).toMatchObject(
      folder === null ? { answer: 'block', anyway: null } : { answer: 'unknown' },
    );
  });

  it('lies where a stop does not reach it, and the tier is that of the copy (U33)', () => {
    const path = '/root/autodl-fs/leasehold-results';
    const disk = { path, mount: '/root/autodl-fs' };
    expect(check('autodl', 'copy', disk)).toMatchObject({ answer: 'pass', gotcha: 'U33' });
    expect(check('autodl', 'tier', disk)).toMatchObject({
      answer: 'pass',
      says: expect.stringContaining(
        'The copy of the results lies on the shared filesystem',
      ) as string,
    });
    expect(check('runpod', 'tier', { path: '/root/copy', mount: '/' }, '/root/copy')).toMatchObject(
      {
        answer: 'warn',
      },
    );
  });

  it('is none where the storage is not mounted on this machine (GS3)', () => {
    const path = '/hy-netdisk/leasehold-results';
    expect(check('gpushare', 'copy', { path, mount: '/' })).toMatchObject({
      answer: 'block',
      anyway: 'the copy may be gone with the box.',
    });
    expect(check('gpushare', 'copy', { path, mount: '/hy-netdisk' })).toMatchObject({
      answer: 'pass',
    });
  });
});
