import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { scopesOf } from '../../shared/gotchas/platform-scope.ts';
import { shippedCatalog } from '../gotchas/gotchas.fixture.ts';
import { SOURCE_HOSTS, sourceLink } from '../../shared/profiles/source-link.ts';
import { judgeExternalUrl } from '../app/app-url.ts';
import { likeShipped, SHIPPED_WATCHED } from '../../shared/profiles/places.fixture.ts';
import { SHIPPED_PLATFORMS } from '../../shared/profiles/platform-names.ts';
import { stampsOf } from '../../shared/profiles/stamps.ts';
import { readYaml } from '../yaml/read-yaml.ts';
import { SHIPPED, SHIPPED_IDS, shippedProfile, shippedWatched } from './profiles.fixture.ts';

const CATALOG = shippedCatalog();

/** Names of the fields in their order, lists by their first entry. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return 'list';
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value).map(([key, each]) =>
    ['rule', 'extra'].includes(key) ? key : [key, shapeOf(each)],
  );
}

const raw = (id: string): Record<string, unknown> => {
  const read = readYaml(readFileSync(`${SHIPPED}${id}.yaml`, 'utf8'), '');
  if (!read.ok) throw new Error(read.error.message);
  return read.value.value as Record<string, unknown>;
};

describe('the shipped profiles', () => {
  it('are one file for each platform, named by its id', () => {
    expect(readdirSync(SHIPPED).sort()).toEqual(SHIPPED_IDS.map((id) => `${id}.yaml`));
    expect(SHIPPED_IDS.map((id) => shippedProfile(id).id)).toEqual(SHIPPED_IDS);
  });

  it.each(SHIPPED_IDS)('%s says the short name that the window calls it by', (id) => {
    expect(shippedProfile(id).name).toContain(SHIPPED_PLATFORMS[id]);
  });

  it.each(SHIPPED_IDS)('%s has the same fields in the same order as all others', (id) => {
    expect(shapeOf(raw(id))).toEqual(shapeOf(raw('runpod')));
  });

  it.each(['storage', 'actions', 'clocks', 'prices'])('entries of %s have one order', (list) => {
    const entries = SHIPPED_IDS.flatMap((id) => raw(id)[list] as readonly object[]);
    const orders = new Set(entries.map((entry) => Object.keys(entry).join(' ')));
    expect([...orders]).toHaveLength(1);
  });

  it.each(SHIPPED_IDS)('%s names for each fact a month and one of its sources', (id) => {
    const profile = shippedProfile(id);
    const stamps = stampsOf(profile);
    expect(stamps.length).toBeGreaterThan(8);
    for (const { verified, source } of stamps) {
      const known = id === 'generic-ssh' ? ['general'] : [...profile.sources, 'sources'];
      expect(known).toContain(source);
      expect(verified === null).toBe(id === 'generic-ssh');
    }
  });

  it('lead to pages that main opens, and to no host that none of them names', () => {
    const sources = SHIPPED_IDS.flatMap((id) => shippedProfile(id).sources);
    const links = sources.flatMap((source) => sourceLink(source) ?? []);
    expect(links.map(judgeExternalUrl)).toEqual(links);
    expect(new Set(links.map((link) => new URL(link).hostname))).toEqual(new Set(SOURCE_HOSTS));
    // What looks like an address and is no link would be one that was forgotten; these two are names.
    const addresses = sources.filter((each) => /^\S+\.[a-z]{2,}(\/|\s|$)/.test(each));
    expect(addresses.filter((each) => sourceLink(each) === null)).toEqual([
      'fast.ai forum',
      'slurm.conf manual',
    ]);
  });

  it.each(SHIPPED_IDS)('%s has looked at what the tests of the rules go by', (id) => {
    const { watched, looks, accelerators, traps } = shippedProfile(id);
    const none = { watched: [], looks: [], accelerators: [], traps: [] };
    expect({ watched, looks, accelerators, traps }).toEqual({ ...none, ...SHIPPED_WATCHED[id] });
    expect(shippedWatched(id).webHosts).toEqual(likeShipped(id).webHosts);
  });

  it.each(SHIPPED_IDS)(
    '%s has for traps entries that are there, and about such a platform',
    (id) => {
      const { traps, ssh } = shippedProfile(id);
      const ways = ssh.flavours.flatMap(({ terminalsOnly }) => terminalsOnly ?? []);
      for (const each of [...traps, ...ways])
        expect(scopesOf(id)).toContain(CATALOG.get(each)?.scope);
    },
  );

  it('say for every use where it is, and have TensorBoard’s own folder of AutoDL searched', () => {
    const { places } = shippedWatched(null);
    for (const paths of Object.values(places)) expect(paths).not.toEqual([]);
    expect(places['event-files']).toEqual(['/root/tf-logs', '/workspace']);
  });

  it.each(SHIPPED_IDS)('%s names a verb of its own wherever it says what ends a cost', (id) => {
    const { actions, clocks } = shippedProfile(id);
    const verbs = actions.map(({ verb }) => verb);
    for (const { stops, rule } of clocks) {
      if (rule.kind === 'cost' && stops !== null) expect(verbs).toContain(stops);
    }
  });
});
