import { describe, expect, it } from 'vitest';
import { gatewayAt, guessPlatform } from '../../shared/profiles/guess-platform.ts';
import { SHIPPED_IDS, shippedProfile } from './profiles.fixture.ts';

// Over the profiles as they ship: what a guess goes by stands in them and nowhere else.
const profiles = SHIPPED_IDS.map(shippedProfile);
const guess = (host: string, mounts: readonly string[] = [], user = 'root') =>
  guessPlatform(profiles, { host, user }, mounts);

describe('guessPlatform', () => {
  it.each([
    ['connect.westb.seetacloud.com', 'autodl'],
    ['CONNECT.westb.SeetaCloud.com', 'autodl'],
    ['ssh.runpod.io', 'runpod'],
    ['i-1.gpushare.com', 'gpushare'],
    ['hz.matpool.com', 'matpool'],
    ['ssh.zj.lanrui-ai.com', 'lanrui'],
    ['ssh5.vast.ai', 'vastai'],
  ])('%s looks like %s', (host, platform) => {
    expect(guess(host)?.platform).toBe(platform);
  });

  it.each([
    'gpu.example',
    '203.0.113.7',
    'seetacloud.com.evil.example',
    'notgpushare.com',
    'runpod.io',
    '',
  ])('%j looks like nobody’s', (host) => {
    expect(guess(host)).toBeNull();
  });

  it.each([
    [['/', '/root/autodl-tmp'], 'autodl'],
    [['/', '/hy-tmp'], 'gpushare'],
    [['/', '/kaggle/working'], 'kaggle'],
    [['/', '/lambda/nfs/mine'], 'lambda'],
    [['/', '/home/user/netdisk/data'], 'lanrui'],
  ])('mounts %j look like %s', (mounts, platform) => {
    expect(guess('203.0.113.7', mounts)).toMatchObject({
      platform,
      because: expect.stringContaining('/'),
    });
  });

  it.each([
    ['paperspace', 'paperspace'],
    ['ubuntu', undefined],
    ['root', undefined],
    ['', undefined],
  ])('the user %j at a bare address looks like %s', (user, platform) => {
    expect(guess('203.0.113.7', [], user)?.platform).toBe(platform);
  });

  it('says nothing of names that are anybody’s, or of two platforms at once', () => {
    expect(
      guess('gpu.example', ['/', '/mnt', '/workspace', '/storage', '/cloud', '/checkpoints']),
    ).toBeNull();
    expect(guess('gpu.example', ['/root/autodl-tmp', '/hy-tmp'])).toBeNull();
  });
});

describe('gatewayAt', () => {
  it.each([
    ['ssh.runpod.io', 'RP6'],
    ['SSH.runpod.io', 'RP6'],
    ['ssh.runpod.io.example', null],
    ['hz.matpool.com', null],
    ['203.0.113.7', null],
  ])('%s: %s', (host, entry) => {
    expect(gatewayAt(profiles, host)).toBe(entry);
  });
});
