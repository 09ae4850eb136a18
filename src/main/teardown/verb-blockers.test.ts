import { describe, expect, it } from 'vitest';
import { endVerbs, noEnds } from '../../shared/teardown/end-verb.ts';
import { foundNothing } from '../../shared/teardown/found-on-box.fixture.ts';
import type { EndFacts, FoundOnBox, OutsideFile } from '../../shared/teardown/found-on-box.ts';
import { verbBlockers } from '../../shared/teardown/blockers/verb-blockers.ts';
import { SHIPPED_IDS, shippedProfile } from '../profiles/profiles.fixture.ts';
import { sha256 } from '../storage/sha256.ts';

/** A large file on every tier. */
const strayOn = ({ storage }: EndFacts): readonly OutsideFile[] =>
  storage.map(({ name }, at) => ({
    ...{ path: `/tier${String(at)}/model.pt`, bytes: 5_000_000, modifiedAtMs: 1, tier: name },
  }));

function raisedFor(facts: EndFacts, more: Partial<FoundOnBox['outside']> = {}) {
  const { outside } = foundNothing(0);
  const found = { profile: facts, outside: { ...outside, files: strayOn(facts), ...more } };
  return verbBlockers(found, sha256);
}

const whatOf = (facts: EndFacts): readonly string[] =>
  raisedFor(facts).map(({ id, entry }) => `${id} ${entry ?? '-'}`);

/** The tiers that a verb of a shipped platform takes along, and the entry that tells of it. */
const TAKES = [
  ['runpod', 'stop', 'RP2', ['container disk', 'volume disk']],
  ['runpod', 'terminate', 'RP3', ['container disk', 'volume disk']],
  ['vastai', 'destroy', 'VAST2', ['container disk']],
  ['lambda', 'terminate', 'LAM1', ['root/local NVMe']],
  ['gpushare', '关机 (stop)', 'GS1', ['system disk', 'local SSD']],
  ['paperspace', 'shut down', 'PS3', ['notebook workspace']],
  ['slurm', 'scancel', 'SLURM5', ['node-local scratch']],
  ['featurize', '实例归还 (return)', 'FZ1', ['everything else']],
  ['autodl', '关机 (power off)', 'AD-DANGER', ['system disk', 'data disk']],
  ['autodl', '释放 (release)', null, ['system disk', 'data disk']],
] as const;

/** What a verb leaves to be paid for. */
const GOES_ON = [
  ['runpod', 'stop', 'RP4', 'volume disk: 0.20 USD/GB-month'],
  ['vastai', 'stop', 'VAST1', 'container disk: it costs something'],
  ['lambda', 'terminate', 'LAM6', 'NFS filesystem: 0.20 USD/GiB-month'],
  ['lanrui', '停止 (stop workspace)', 'LR1', 'data disk 数据盘: it costs something'],
  ['paperspace', 'shut down', 'PS1', 'Core block disk: it costs something'],
  ['paperspace', 'destroy machine', 'PS9', 'Core snapshot: 0.29 USD/GB-month'],
  // No storage, and billed all the same.
  ['paperspace', 'shut down', 'PS1', 'static address: 0.0045 USD/hour (as of'],
  ['paperspace', 'destroy machine', 'PS9', 'static address: 0.0045 USD/hour (as of'],
] as const;

describe('what is in the way of one verb', () => {
  it.each(TAKES)('%s: “%s” takes along what %s tells of', (platform, verb, entry, tiers) => {
    const raised = raisedFor(shippedProfile(platform)).filter(
      (each) => each.kind === 'tier-goes' && each.verb === verb,
    );
    expect(raised.map(({ id }) => id)).toEqual(tiers.map((tier) => `tier-goes:${verb}:${tier}`));
    expect(raised[0]?.entry).toBe(entry);
    expect(raised[0]?.shows).toEqual([expect.stringMatching(/model\.pt$/)]);
  });

  it.each(GOES_ON)(
    '%s: “%s” leaves to be paid for what %s tells of',
    (platform, verb, entry, line) => {
      const raised = raisedFor(shippedProfile(platform)).find(
        ({ id }) => id === `bills-on:${verb}`,
      );
      expect(raised?.entry).toBe(entry);
      expect(raised?.shows.some((each) => each.startsWith(line))).toBe(true);
    },
  );

  it('holds of every shipped platform that what may be lost with a verb stands in its way alone', () => {
    for (const id of SHIPPED_IDS) {
      const facts = shippedProfile(id);
      const raised = raisedFor(facts);
      expect(raised.every(({ verb, loss }) => verb !== undefined && loss !== null)).toBe(true);
      for (const { verb, kind } of endVerbs(facts)) {
        const kept = facts.storage.filter((tier) =>
          kind === 'stop' ? tier.survivesStop === true : tier.survivesDestroy === true,
        );
        const goes = raised.filter((each) => each.verb === verb && each.kind === 'tier-goes');
        // More go where a clock begins with the verb.
        expect(goes.length).toBeGreaterThanOrEqual(facts.storage.length - kept.length);
      }
    }
  });

  it('says of what a clock takes that begins with a stop when that is', () => {
    const says = (platform: 'autodl' | 'runpod', id: string) =>
      raisedFor(shippedProfile(platform)).find((each) => each.id === id)?.says;
    expect(says('autodl', 'tier-goes:关机 (power off):data disk')).toMatch(/after 15 days: auto/);
    expect(says('runpod', 'tier-goes:stop:container disk')).toMatch(/may delete/);
  });

  it('tells of the clock that is through first, under its own entry (GS5, RP8)', () => {
    const raised = (platform: 'gpushare' | 'runpod', id: string) =>
      raisedFor(shippedProfile(platform)).find((each) => each.id === id);
    expect(raised('gpushare', 'tier-goes:关机 (stop):local SSD')).toMatchObject({
      ...{
        entry: 'GS5',
        says: expect.stringMatching(/deletes the local SSD after 24 h/) as string,
      },
    });
    expect(raised('gpushare', 'tier-goes:关机 (stop):system disk')?.entry).toBe('GS1');
    expect(raised('runpod', 'tier-goes:stop:volume disk')?.entry).toBe('RP8');
  });

  it('knows what only looks like an end: no yes to it is possible (LAM3)', () => {
    const lambda = shippedProfile('lambda');
    expect(noEnds(lambda)).toMatchObject([{ verb: 'in-OS shutdown', goesOn: 'LAM3' }]);
    expect(endVerbs(lambda).map(({ verb }) => verb)).toEqual(['terminate']);
  });

  it('says nothing of a disk on which nothing lies, and another loss of one more file', () => {
    const runpod = shippedProfile('runpod');
    const kinds = raisedFor(runpod, { files: [] }).map(({ kind }) => kind);
    expect(kinds).not.toContain('tier-goes');
    expect(whatOf(runpod)).toContain('tier-goes:terminate:volume disk RP3');
    const files = strayOn(runpod);
    const lossIn = (all: readonly OutsideFile[]) =>
      raisedFor(runpod, { files: all }).find(({ id }) => id === 'tier-goes:terminate:volume disk')
        ?.loss;
    const more = files.map((file) => ({ ...file, path: `${file.path}.2` }));
    expect(lossIn([...files].reverse())).toBe(lossIn(files));
    expect(lossIn([...files, ...more])).not.toBe(lossIn(files));
  });

  it('names the other boxes that keep results on what it may delete (LR2)', () => {
    const lanrui = shippedProfile('lanrui');
    const others = [{ boxName: 'train-b', tier: 'system disk', path: '/shared/out' }];
    const [raised] = raisedFor(lanrui, { others }).filter(({ kind }) => kind === 'others-data');
    expect(raised).toMatchObject({ entry: 'LR2', shows: ['train-b: /shared/out'] });
    const kept = [
      { boxName: 'train-b', tier: 'netdisk 网盘', path: '/home/user/netdisk/data/out' },
    ];
    expect(raisedFor(lanrui, { others: kept }).some(({ kind }) => kind === 'others-data')).toBe(
      false,
    );
    const unseen = [...others, { boxName: 'train-c', tier: 'system disk', path: null }];
    const [both] = raisedFor(lanrui, { others: unseen }).filter(
      ({ kind }) => kind === 'others-data',
    );
    expect(both?.says).toMatch(
      /train-b keeps results there, too\. Whether train-c keeps anything there is not known/,
    );
    expect(both?.loss).not.toBe(raised?.loss);
  });

  it('has nothing to say of a platform that nobody knows', () => {
    const { outside } = foundNothing(0);
    expect(verbBlockers({ profile: null, outside }, sha256)).toEqual([]);
  });
});
