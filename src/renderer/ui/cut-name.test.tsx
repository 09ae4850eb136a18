import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { CutName } from './cut-name.tsx';

afterEach(cleanup);

const seen = (element: HTMLElement): readonly string[] =>
  [...element.querySelectorAll('[aria-hidden]')].map((part) => part.textContent);

function show(name: string): HTMLElement {
  render(
    <button type="button">
      <CutName name={name} />
    </button>,
  );
  return screen.getByRole('button');
}

it('shows the end of a long name apart, so that its beginning can give way, and says it whole', () => {
  const button = show('sweep-lr-3e-4-warmup-2000-seed-17');
  expect(seen(button)).toEqual(['sweep-lr-3e-4-warmup-2000-s', 'eed-17']);
  expect(screen.getByRole('button', { name: 'sweep-lr-3e-4-warmup-2000-seed-17' })).toBe(button);
});

it('leaves a short name alone, and cuts no letter in two', () => {
  expect(show('train-17').innerHTML).toBe('<span>train-17</span>');
  cleanup();
  expect(seen(show('train-with-emoji-🚀🚀🚀🚀🚀🚀')).at(-1)).toBe('🚀🚀🚀🚀🚀🚀');
});
