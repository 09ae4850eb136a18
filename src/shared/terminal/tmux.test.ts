import { describe, expect, it } from 'vitest';
import { newTmuxName, tmuxSessionId } from './terminal.ts';
import { attachCommand, killScript, parseTmuxList } from './tmux.ts';

describe('tmux', () => {
  it('reads rows, counts what it cannot read, and stops somewhere', () => {
    const listing = parseTmuxList('$0 1700000000 2 1 a b  c\nnoise\n$x 1 1 1 y\n');
    expect(listing).toEqual({
      kind: 'installed',
      sessions: [{ id: '$0', createdAtS: 1700000000, windows: 2, attached: 1, name: 'a b  c' }],
      leftOut: 2,
    });
    const flood = parseTmuxList(Array.from({ length: 5000 }, (_, i) => `$${i} 1 1 0 n`).join('\n'));
    expect(flood).toMatchObject({ leftOut: 4800 });
  });

  it('tells a box without tmux from one without sessions', () => {
    expect(parseTmuxList('leasehold: no tmux\n')).toEqual({ kind: 'not-installed' });
    expect(parseTmuxList('')).toEqual({ kind: 'installed', sessions: [], leftOut: 0 });
  });

  it.each(["$1'; rm -rf ~; '", '$', '1', '$1\n', '$(id)', '-t'])('takes no id like %j', (id) => {
    expect(tmuxSessionId.safeParse(id).success).toBe(false);
  });

  it.each(["a'b", 'a b', '', '$(id)', 'a.b', 'a:b', 'x'.repeat(41)])(
    'takes no name like %j',
    (name) => {
      expect(newTmuxName.safeParse(name).success).toBe(false);
    },
  );

  it('puts nothing but a checked id into a command', () => {
    expect(attachCommand({ id: '$3', name: "'; id" })).not.toContain('; id');
    expect(killScript('$3', 5)).toContain(`'$3 5'`);
  });
});
