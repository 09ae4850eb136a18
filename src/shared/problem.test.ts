import { expect, it } from 'vitest';
import { problem } from './problem.ts';

it('shows nothing in its detail that cannot be seen, or that turns the text around', () => {
  const said = 'no such \u202ehost\u202c\u200b \u001b[31mred\u0007\r\nnext\tline\u2028end';
  expect(problem('link-lost', 'The connection was lost.', { detail: said }).detail).toBe(
    'no such host [31mred\nnext lineend',
  );
});

it('shows no such thing in its message either, which may name a file of a box', () => {
  const { message } = problem(
    'no-such-file',
    `There is no /data/\u202egnp.\u001b[2J${'x'.repeat(9000)}.`,
  );
  expect(message).toMatch(/^There is no \/data\/gnp\.\[2Jx+…$/);
  expect(message.length).toBeLessThan(2002);
});

it('bounds it', () => {
  const { detail = '' } = problem('link-lost', 'Lost.', { detail: 'x'.repeat(1_000_000) });
  expect(detail.length).toBeLessThanOrEqual(4001);
});

it('has none where none was given', () => {
  expect('detail' in problem('link-lost', 'Lost.')).toBe(false);
});

it('keeps both ends of a long detail: what was said first, and the reason, which comes last', () => {
  for (const lines of [600, 600_000]) {
    const said = `cloning\n${'one more line\n'.repeat(lines)}Error: the disk is full\n`;
    const { detail = '' } = problem('link-lost', 'Lost.', { detail: said });
    expect(detail.length).toBeLessThanOrEqual(4001);
    expect(detail).toMatch(/^cloning\none more line\n/);
    expect(detail).toMatch(/\n…\n[\s\S]*\none more line\nError: the disk is full$/);
  }
});
