import { expect, it, vi } from 'vitest';
import { followDrag } from './follow-drag.ts';

const OUTSIDE = { clientX: 101, clientY: 50, buttons: 1 };

function followed(): { readonly begin: ReturnType<typeof vi.fn<(isHeld: () => boolean) => void>> } {
  const list = document.createElement('div');
  vi.spyOn(list, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 100, 100));
  const begin = vi.fn<(isHeld: () => boolean) => void>();
  followDrag(list, begin);
  return { begin };
}

const say = (type: string, more: MouseEventInit = {}): unknown =>
  window.dispatchEvent(new MouseEvent(type, more));

it('a drag begins where the pointer leaves the list, once', () => {
  const { begin } = followed();
  say('pointermove', { clientX: 60, clientY: 50, buttons: 1 });
  expect(begin).not.toHaveBeenCalled();
  say('pointermove', OUTSIDE);
  say('pointermove', OUTSIDE);
  expect(begin).toHaveBeenCalledOnce();
  say('mouseup');
});

it('a drag begins where the pointer leaves the window', () => {
  const { begin } = followed();
  document.documentElement.dispatchEvent(new MouseEvent('pointerleave'));
  expect(begin).toHaveBeenCalledOnce();
  say('mouseup');
});

const ENDS: readonly (readonly [string, MouseEventInit])[] = [
  ...(['mouseup', 'pointerup', 'pointercancel', 'blur'] as const).map(
    (type) => [type, {}] as const,
  ),
  ['pointermove', { ...OUTSIDE, buttons: 0 }],
];

it.each(ENDS)('the button is held no more after %s', (type, more) => {
  const { begin } = followed();
  say('pointermove', OUTSIDE);
  const [isHeld = () => false] = begin.mock.lastCall ?? [];
  expect(isHeld()).toBe(true);
  say(type, more);
  expect(isHeld()).toBe(false);
});

it.each(ENDS)('nothing begins any more after %s', (type, more) => {
  const { begin } = followed();
  say(type, more);
  say('pointermove', OUTSIDE);
  expect(begin).not.toHaveBeenCalled();
});
