import { expect, it } from 'vitest';
import { directWay } from './direct-way.ts';
import { freePort } from './sshd.fixture.ts';
import { toProblem } from './to-problem.ts';

const { signal } = new AbortController();

it('tells an address that refuses from one to which no way leads', async () => {
  const at = { host: '127.0.0.1', port: await freePort(), user: 'me' };
  expect(await directWay(at)(signal)).toMatchObject({
    error: { code: 'unreachable', reach: 'no-answer' },
  });
  // No machine has this one for itself, and the system says so at once.
  const nobodys = { ...at, host: '224.0.0.1' };
  expect(await directWay(nobodys)(signal)).toMatchObject({
    error: { code: 'no-way', reach: 'no-way' },
  });
});

it.each(['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'EHOSTDOWN', 'EADDRNOTAVAIL', 'EACCES'])(
  'does not take %s for a box that is silent',
  (code) => {
    const at = { host: 'train-a', port: 22, user: 'me' };
    expect(toProblem({ code }, at)).toMatchObject({
      code: 'no-way',
      message: expect.stringMatching(/no way to train-a/),
    });
  },
);
