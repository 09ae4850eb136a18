import { describe, expect, it, vi } from 'vitest';
import { DIRECT } from '../../shared/boxes/usual-way.ts';
import { ok } from '../../shared/result.ts';
import { approvedRoute } from './approved-route.ts';

const route = (command: string) => ({ kind: 'command' as const, command });

describe('approvedRoute', () => {
  it('asks about a command, and takes no for an answer', async () => {
    const approve = vi.fn(() => Promise.resolve(false));
    expect(await approvedRoute(route('nc %h %p'), null, approve)).toMatchObject({
      ok: false,
      error: { code: 'aborted' },
    });
    expect(approve).toHaveBeenCalledWith('nc %h %p');
    approve.mockResolvedValue(true);
    expect(await approvedRoute(route('nc %h %p'), null, approve)).toEqual(ok(null));
  });

  it('asks again about another command, and not about the same', async () => {
    const approve = vi.fn(() => Promise.resolve(false));
    expect(await approvedRoute(route('a'), route('a'), approve)).toEqual(ok(null));
    expect(approve).not.toHaveBeenCalled();
    expect((await approvedRoute(route('b'), route('a'), approve)).ok).toBe(false);
    expect((await approvedRoute(route('a'), DIRECT, approve)).ok).toBe(false);
  });

  it('asks nothing about what runs nothing', async () => {
    const approve = vi.fn(() => Promise.resolve(false));
    expect(await approvedRoute(DIRECT, route('a'), approve)).toEqual(ok(null));
    expect(approve).not.toHaveBeenCalled();
  });
});
