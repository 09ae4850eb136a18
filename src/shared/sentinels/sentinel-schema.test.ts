import { expect, it } from 'vitest';
import { questionOf } from './sentinel-question.ts';
import { awaited, sentinelBook } from './sentinel-schema.ts';
import type { Awaited, Sentinel, SentinelBase } from './sentinel.ts';

it.each([
  { kind: 'file', path: '/a\tb' },
  { kind: 'file', path: '/a\u001fb' },
  { kind: 'file', path: '/a\nb' },
  { kind: 'file', path: 'relative' },
  { kind: 'file', path: `/${'x'.repeat(1000)}` },
  { kind: 'line', path: '/log', text: '' },
  { kind: 'line', path: '/log', text: 'a\u0000b' },
  { kind: 'count', folder: '/out', ending: 'a/b', atLeast: 1 },
  { kind: 'count', folder: '/out', ending: '', atLeast: 0 },
  { kind: 'newest', folder: '/out', ending: '.pt\u001f' },
  { kind: 'process', pid: 0, startTicks: null, name: '' },
  { kind: 'process', pid: 1, startTicks: null, name: 'a\tfile' },
  { kind: 'else' },
])('refuses %j, which the script on the box would read as something else', (input) => {
  expect(awaited.safeParse(input).success).toBe(false);
});

it('reads what an older Leasehold kept, which knew no life of the machine', () => {
  const id = '00000000-0000-4000-8000-000000000001';
  const wanted = { kind: 'process', pid: 41, startTicks: 500, name: 'python train.py' };
  const kept = { id, awaited: wanted, armedAtMs: 1, untilMs: 9 };
  const armed = { ...kept, base: { kind: 'process', startTicks: 500 }, machine: null, seen: null };
  const over = { ...kept, end: 'happened', atMs: 2, before: null, seen: null, line: null };
  const book = sentinelBook.parse({
    lookedAtMs: 1,
    armed: [{ ...armed, unread: null, restarted: null, gap: null }],
    over: [{ ...over, because: '', gap: null }],
    untold: [],
  });
  const now = { ...wanted, bootId: null };
  expect(book).toMatchObject({ armed: [{ awaited: now }], over: [{ awaited: now }] });
});

function ask(wanted: Awaited, base: SentinelBase | null): readonly string[] {
  const sentinel = { awaited: wanted, base } as Sentinel;
  return questionOf([sentinel]).split('\u001f');
}

it('asks for a log from so far before the last position that a text on both sides of it is found, and no earlier one', () => {
  const base = { kind: 'line', inode: '18446744073709551615', offset: 100, print: 42 } as const;
  expect(ask({ kind: 'line', path: '/log', text: 'añ€😀' }, base)).toEqual([
    ...['line', '/log', 'añ€😀', '18446744073709551615', '100'],
    String(100 - (Buffer.byteLength('añ€😀') - 1)),
    '42',
  ]);
  expect(ask({ kind: 'line', path: '/log', text: 'x'.repeat(150) }, base)[5]).toBe('0');
  expect(ask({ kind: 'line', path: '/log', text: 'x' }, null).slice(3)).toEqual([
    '',
    'end',
    'end',
    'none',
  ]);
});

it('means a name’s end as it is typed', () => {
  expect(ask({ kind: 'newest', folder: '/out', ending: '[a]*?\\.pt' }, null)[2]).toBe(
    '*\\[a\\]\\*\\?\\\\.pt',
  );
});
