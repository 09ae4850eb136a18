import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Profile } from '../../shared/profiles/profile.ts';
import { slowWayOf } from '../../shared/profiles/copy-way.ts';
import { loadProfiles } from './load-profiles.ts';

let profiles: ReadonlyMap<string, Profile>;
beforeAll(async () => {
  const shipped = join(import.meta.dirname, '../../../profiles');
  const { all } = await loadProfiles({ shipped, own: join(shipped, 'none') });
  profiles = new Map(all.map(({ profile }) => [profile.id, profile]));
});
const wayTo = (platform: string, host: string) => {
  const profile = profiles.get(platform);
  if (profile === undefined) throw new Error(`no profile ${platform}`);
  return slowWayOf(profile, host);
};

describe('the way over which a box is reached', () => {
  it('is the proxy of RunPod at its address alone, where the direct one is offered (RP6, RP13)', () => {
    expect(wayTo('runpod', 'ssh.runpod.io')).toMatchObject({
      ...{ name: 'basic SSH (proxied)', isCertain: true },
      better: { name: 'full SSH (direct TCP)', endpoint: 'root@<public-ip> -p <PORT>' },
    });
    expect(wayTo('runpod', '198.51.100.7')).toBeNull();
  });

  it('is the throttled proxy of vast.ai at its address alone (VAST8)', () => {
    expect(wayTo('vastai', 'ssh5.vast.ai')).toMatchObject({
      ...{ name: 'proxy SSH (default)', copies: 'throttled', isCertain: true },
      better: { name: 'direct SSH', endpoint: 'from vastai ssh-url <id>' },
    });
    expect(wayTo('vastai', '198.51.100.7')).toBeNull();
  });

  it('is said of no platform that has one way in', () => {
    expect(wayTo('lambda', '198.51.100.7')).toBeNull();
    expect(wayTo('generic-ssh', 'box.example')).toBeNull();
  });
});
