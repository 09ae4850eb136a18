import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ShippedPlatform } from '../../shared/profiles/platform-names.ts';
import { jobScript } from '../../shared/runs/launch/job-script.ts';
import type { LaunchProfile } from '../../shared/runs/launch/known-box.ts';
import { profileSettings } from '../../shared/runs/launch/profile-settings.ts';
import type { RunRequest } from '../../shared/runs/launch/run-request.ts';
import { shippedProfile } from '../profiles/profiles.fixture.ts';
import { request } from './run-box.fixture.ts';

const usedOn = (platform: ShippedPlatform, more: Partial<RunRequest> = {}): readonly string[] =>
  profileSettings(request(more), shippedProfile(platform))?.used.map(({ name }) => name) ?? [];

describe('what of a profile goes into a run', () => {
  it('is its proxy, its mirrors and its folders, and nothing that is written for people', () => {
    expect(usedOn('autodl')).toEqual([
      'PROXY_HOOK',
      'HF_HOME',
      'HF_ENDPOINT',
      'HF_HUB_DISABLE_XET',
      'PY',
    ]);
    expect(usedOn('autodl', { results: 'out' })).toContain('TB_LOGDIR');
    expect(usedOn('autodl', { results: 'out', tracker: 'wandb' })).not.toContain('TB_LOGDIR');
    expect(usedOn('runpod')).toEqual(['DATA_DIR', 'HF_HOME', 'PIP_CACHE_DIR']);
    expect(usedOn('gpushare')).toEqual(['DATA_DIR', 'DURABLE_DIR', 'HF_HOME', 'SCRATCH']);
    // "proj" stands for a name that only the person knows, "<name>" too.
    expect(usedOn('generic-ssh')).toEqual([]);
    expect(usedOn('lambda')).toEqual(['DATA_DIR']);
    const { unused = [] } = profileSettings(request(), shippedProfile('autodl')) ?? {};
    const because = Object.fromEntries(unused.map((each) => [each.name, each.because]));
    expect(because).toMatchObject({
      CRED_FILE: expect.stringContaining('Send a secret') as string,
      DETACH: expect.stringContaining('setsid') as string,
      SCRATCH: expect.stringContaining('scratch') as string,
    });
    expect(profileSettings(request(), null)).toBeNull();
  });

  it('is nothing where the request says so, and gives way to what the request says itself', () => {
    expect(usedOn('autodl', { profile: false })).toEqual([]);
    expect(
      usedOn('autodl', { env: { HF_ENDPOINT: 'x' }, activate: '. /etc/network_turbo' }),
    ).toEqual(['HF_HOME', 'HF_HUB_DISABLE_XET', 'PY']);
  });

  it('is one word each for the shell, whatever a profile of the person’s own has', () => {
    const profile: LaunchProfile = shippedProfile('autodl');
    const overrides = {
      ...profile.overrides,
      PROXY_HOOK: 'source /etc/x; rm -rf ~',
      HF_HOME: '/data/$(id)',
      DATA_DIR: '/data/`id`',
      DURABLE_DIR: '/a b',
      extra: {
        HF_ENDPOINT: '"; id',
        'HF_X;id': 'x',
        LD_PRELOAD: '/x.so',
        PY: '/$(id)/python',
        TB_LOGDIR: '$(id)',
      },
    };
    expect(profileSettings(request({ results: 'out' }), { ...profile, overrides })?.used).toEqual(
      [],
    );
  });
});

describe('in the job of a run', () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-settings-'));
    mkdirSync(join(home, 'work'));
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  function ran(
    overrides: Partial<LaunchProfile['overrides']>,
    env: NodeJS.ProcessEnv = {},
    more: Partial<RunRequest> = {},
  ): string {
    const profile = shippedProfile('autodl');
    const wanted = request({
      command: 'echo "$HF_HOME|$HF_ENDPOINT|$https_proxy"',
      env: { SEED: '1' },
      ...more,
    });
    const none = { PROXY_HOOK: null, HF_HOME: null, extra: null };
    const settings = profileSettings(wanted, {
      ...profile,
      overrides: { ...profile.overrides, ...none, ...overrides },
    });
    const lines = settings?.used.map(({ line }) => line) ?? [];
    return execFileSync('sh', ['-c', jobScript(wanted, { of: 'AutoDL', lines })], {
      env: { PATH: process.env['PATH'], HOME: home, ...env },
      encoding: 'utf8',
    }).trimEnd();
  }

  it('the proxy and the mirror are set, and what the person has set stays (AD1, AD2)', () => {
    const hook = join(home, 'turbo');
    writeFileSync(hook, 'export https_proxy=http://proxy\necho noise\n');
    const overrides = {
      PROXY_HOOK: `source ${hook} 2>/dev/null || true`,
      extra: { HF_ENDPOINT: 'https://mirror' },
    };
    expect(ran(overrides)).toBe('|https://mirror|http://proxy');
    expect(ran(overrides, { HF_ENDPOINT: 'https://mine' })).toBe('|https://mine|http://proxy');
    expect(ran({ ...overrides, PROXY_HOOK: 'source /nowhere/turbo' })).toBe('|https://mirror|');
  });

  it('a Python of the image is found after whatever the person has (AD6)', () => {
    const place = join(home, 'conda/bin');
    mkdirSync(place, { recursive: true });
    for (const name of ['python-of-the-image', 'sh'])
      writeFileSync(join(place, name), '#!/bin/sh\necho it\n', { mode: 0o755 });
    const overrides = { extra: { PY: join(place, 'python') } };
    const more = { command: 'python-of-the-image; sh -c "echo own"' };
    expect(ran(overrides, {}, more)).toBe('it\nown');
  });

  it('the TensorBoard of the platform is shown the results, and nothing of it is replaced (AD7)', () => {
    const board = join(home, 'tf logs');
    const overrides = { extra: { TB_LOGDIR: board.replace(' ', '-') } };
    const results = "it's out";
    const more = { name: "a 'run'; é", results, command: 'echo runs' };
    const link = join(home, 'tf-logs/a-run-');
    expect(ran(overrides, {}, more)).toBe('runs'); // the platform has no such folder
    mkdirSync(join(home, 'tf-logs'));
    expect(ran(overrides, {}, more)).toBe('runs');
    expect(readlinkSync(link)).toBe(`${home}/work/${results}`);
    expect(ran(overrides, {}, more)).toBe('runs');
    expect(existsSync(join(home, 'work', results))).toBe(false);
    rmSync(link);
    mkdirSync(link);
    expect(ran(overrides, {}, more)).toBe('runs');
    expect(readdirSync(link)).toEqual([]);
  });

  it('a cache folder is taken only where it can be made and no model would be fetched twice (RP11)', () => {
    const place = join(home, 'disk/hf');
    expect(ran({ HF_HOME: place })).toBe(`${place}||`);
    expect(existsSync(place)).toBe(true);
    expect(ran({ HF_HOME: place }, { HF_HOME: '/mine' })).toBe('/mine||');
    writeFileSync(join(home, 'file'), '');
    expect(ran({ HF_HOME: join(home, 'file/hf') })).toBe('||');
    mkdirSync(join(home, '.cache/huggingface/hub'), { recursive: true });
    expect(ran({ HF_HOME: place })).toBe('||');
  });
});
