import { expect, it } from 'vitest';
import type { Gone } from './gate.ts';
import { ACT, saidOf } from './gate.fixture.ts';
import { endedBox } from './teardown-record.ts';
import { stepBlocks } from './teardown-page.ts';

const linesOf = (by: Gone['by']): string => {
  const ended = endedBox(
    ACT,
    { atMs: 9, silence: 'So it was.', by },
    {
      ...{ ends: true, told: [], cost: null },
    },
  );
  return JSON.stringify(stepBlocks({ step: 'gone', ...ended }, []));
};
const person = { kind: 'person', saidAtMs: 8 } as const;

it('says of each end who said so, and whether its address was silent or could not be asked', () => {
  expect(linesOf({ ...person, said: null })).toMatch(/No provider says so.*was silent: So it was/);
  const elsewhere = linesOf({ ...person, said: saidOf('unheard') });
  expect(elsewhere).toMatch(/Acme knows no such machine.*was silent: So it was/);
  const noWay = linesOf({ ...person, said: saidOf('gone') });
  expect(noWay).toMatch(/The person said.*Acme says so: gone.*says nothing of it: So it was/);
  expect(noWay).not.toMatch(/silent/);
});
