import { describe, expect, it } from 'vitest';
import { CRON_KINDS, type CronLook } from '../run-preflight.ts';
import { judgeReboot, rebootLine, stillStartsAgain } from './reboot-check.ts';

const ID = 'r-20270115-080000-0a1b2c3d';
const RUNS: CronLook = { kind: 'cron', startsWithBox: true };
const answerOf = (home: string, cron: CronLook | null) => judgeReboot({ home, cron })[0]?.answer;

describe('the line that starts a queue again', () => {
  it('is one line without what cron reads as its own, and waits for the folder that it names', () => {
    const line = rebootLine(ID, { home: '/home/me', cron: RUNS }) ?? '';
    expect(line).toBe(
      `@reboot f=/home/me/.local/state/leasehold/runs/${ID}/reboot.sh; n=0; until [ -f "$f" ] || [ $n -ge 900 ]; do sleep 2; n=$((n+1)); done; exec sh "$f" >/dev/null 2>&1`,
    );
    expect(line).not.toMatch(/[%\n]/);
  });

  it.each(['/home/a b', "/home/a'b", '/home/50%', '/home/é', '/home/a\nb', '/home/$x', 'home', ''])(
    'is none for the home folder %j, and the plan says so',
    (home) => {
      expect(rebootLine(ID, { home, cron: RUNS })).toBeNull();
      expect(answerOf(home, RUNS)).toBe('warn');
    },
  );

  it('is there only where cron runs, and no answer is a pass but that it starts with the box', () => {
    for (const kind of CRON_KINDS) {
      const hasLine = rebootLine(ID, { home: '/root', cron: { kind, startsWithBox: false } });
      expect(hasLine !== null).toBe(kind === 'cron');
      expect(answerOf('/root', { kind, startsWithBox: false })).toBe(
        kind === 'cron' ? 'unknown' : 'warn',
      );
    }
    expect(answerOf('/root', null)).toBe('unknown');
    expect(rebootLine(ID, { home: '/root', cron: null })).toBeNull();
    expect(answerOf('/root', RUNS)).toBe('pass');
  });

  it('stays where a queue that has one goes on by hand', () => {
    expect(stillStartsAgain({ startsAgain: true })).toMatchObject([{ id: 'reboot' }]);
    expect(stillStartsAgain({})).toEqual([]);
  });
});
