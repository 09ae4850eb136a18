import { afterEach, describe, expect, it, vi } from 'vitest';
import { problem, type Problem } from '../../shared/problem.ts';
import { err } from '../../shared/result.ts';
import { throughJumpHost } from './jump-way.ts';
import type { SshConnection } from './ssh-connection.ts';

/** Over a jump host that opens nothing. */
function openOver(connection: Partial<SshConnection>, host = '192.0.2.1') {
  const address = { host: 'jump', port: 22, user: 'me' };
  const place = { address, position: 1, count: 1 };
  const box = { host, port: 22, user: 'me' };
  return throughJumpHost(connection as SshConnection, place, box)(new AbortController().signal);
}

const refusing = (detail: string): Partial<SshConnection> => ({
  openStream: () => Promise.resolve(err(problem('target-refused', 'No.', { detail }))),
});

describe('what a jump host says of the box behind it', () => {
  afterEach(() => void vi.useRealTimers());

  it.each<[string, Problem['reach']]>([
    ['(SSH) Channel open failure: Connection refused', 'no-answer'],
    ['(SSH) Channel open failure: Connection timed out', 'no-answer'],
    ['(SSH) Channel open failure: No route to host', 'no-way'],
    ['(SSH) Channel open failure: Network is unreachable', 'no-way'],
    ['(SSH) Channel open failure: Name or service not known', 'no-way'],
    ['', 'no-way'],
  ])('is, with “%s”, %s', async (detail, reach) => {
    expect(await openOver(refusing(detail))).toMatchObject({
      error: { code: 'unreachable', reach },
    });
  });

  it.each([
    ['answers meanwhile', true, '192.0.2.1', 'no-answer'],
    ['hangs', false, '192.0.2.1', 'no-way'],
    ['may still look for its name', true, 'train-a', 'no-way'],
  ] as const)('is of one that stays silent, where it %s', async (_what, isAlive, host, reach) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const opened = openOver(
      {
        openStream: (_to, signal) =>
          new Promise((resolve) => {
            const stopped = err(problem('aborted', 'Stopped.'));
            signal?.addEventListener('abort', () => resolve(stopped), { once: true });
          }),
        prove: () => Promise.resolve(isAlive),
      },
      host,
    );
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await opened).toMatchObject({ error: { code: 'connect-timeout', reach } });
  });
});
