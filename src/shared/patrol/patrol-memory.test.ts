import { expect, it } from 'vitest';
import { goneLook, LOOK, RUN } from './look.fixture.ts';
import { patrolMemory, rememberLook } from './patrol-memory.ts';

const BEFORE = rememberLook(LOOK, null, []);

it('keeps the runs and the counters, and nothing that a log says', () => {
  expect(patrolMemory.parse(JSON.parse(JSON.stringify(BEFORE)))).toEqual(BEFORE);
  expect(BEFORE).toMatchObject({ oomKills: 3, runs: [{ pid: RUN.pid, logs: [{ end: null }] }] });
});

it('reads what an older Leasehold kept, and says that it does not hold what that did not keep', () => {
  const { artefacts: _artefacts, runs, ...older } = BEFORE;
  const olderRuns = runs.map(({ argumentCount: _count, program: _program, ...run }) => run);
  expect(patrolMemory.parse({ ...older, runs: olderRuns })).toMatchObject({
    artefacts: null,
    runs: [{ argumentCount: null, program: null }],
  });
});

it('lets no answer that is not whole take the place of what was known', () => {
  const later = { memory: { ...LOOK.memory!, oomKills: 4 } };
  expect(rememberLook(goneLook(null, { ...later, isWhole: false }), BEFORE, [])).toBe(BEFORE);
  const cut = { rows: [], isWhole: false };
  expect(rememberLook(goneLook(null, { ...later, processes: cut }), BEFORE, [])).toBe(BEFORE);
  expect(rememberLook(goneLook(null, later), BEFORE, [])).toMatchObject({ oomKills: 4, runs: [] });
});

it('goes on asking after a run that is alive and was not told again', () => {
  expect(rememberLook(goneLook(null), BEFORE, [RUN]).runs).toHaveLength(1);
  expect(rememberLook(LOOK, BEFORE, [RUN]).runs).toHaveLength(1);
});
