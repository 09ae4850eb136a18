import { describe, expect, it } from 'vitest';
import { coverageOf } from '../../shared/gotchas/coverage.ts';
import { scopeOfPlatform, trapsOf } from '../../shared/gotchas/platform-scope.ts';
import { SHIPPED_PLATFORMS } from '../../shared/profiles/platform-names.ts';
import { shippedGotchas } from './gotchas.fixture.ts';

const ALL = shippedGotchas();
const idsOf = (platform: string): readonly string[] => trapsOf(platform, ALL).map(({ id }) => id);

describe('the traps of a platform', () => {
  it('are on the Facts tab where the catalog says that advice is, and nowhere else', () => {
    const byId = new Map(ALL.map((gotcha) => [gotcha.id, gotcha]));
    const listed = new Set(Object.keys(SHIPPED_PLATFORMS).flatMap(idsOf));
    const advice = ALL.filter(({ role }) => role === 'advice');
    const said = advice.filter((each) => coverageOf(each, byId).shown.includes('Facts'));
    expect(said.length).toBeGreaterThan(10);
    expect(said.map(({ id }) => id)).toEqual(
      advice.filter(({ id }) => listed.has(id)).map(({ id }) => id),
    );
  });

  it('are those of this one, not of its neighbours in the catalog', () => {
    expect(idsOf('matpool')).toEqual(expect.arrayContaining(['MP1', 'MP2', 'MP3', 'CN2']));
    expect(idsOf('matpool').filter((id) => /^(?:GS|FZ|LR)/.test(id))).toEqual([]);
    expect(idsOf('colab')).toContain('NB5');
    expect(idsOf('colab')).not.toContain('NB2');
    expect(idsOf('demo')).toEqual([]);
    expect(idsOf('__proto__')).toEqual([]);
  });

  it('come the worst first', () => {
    const order = trapsOf('runpod', ALL).map(({ severity }) => severity);
    expect(order[0]).toBe('critical');
    expect(order).toEqual([...order].sort((a, b) => 'cwi'.indexOf(a[0]!) - 'cwi'.indexOf(b[0]!)));
  });

  it('give what happens there its place in the catalog', () => {
    expect(scopeOfPlatform('kaggle')).toBe('notebook');
    expect(scopeOfPlatform('autodl')).toBe('autodl');
    expect(scopeOfPlatform('generic-ssh')).toBe('universal');
    expect(scopeOfPlatform('demo')).toBeNull();
  });
});
