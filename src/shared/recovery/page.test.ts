import { describe, expect, it } from 'vitest';
import { toMarkdown, type Block } from './page.ts';

const text = (...parts: (string | { code: string })[]): Block => ({ kind: 'text', text: parts });

describe('toMarkdown', () => {
  it('writes what a person reads as it is', () => {
    const blocks: readonly Block[] = [
      { kind: 'heading', level: 2, text: 'Runs' },
      text('In ', { code: '/work/run_1' }, ', seen at 03:30.'),
      { kind: 'list', items: [['one'], ['two']] },
      { kind: 'code', what: 'x', text: 'tmux ls\ndf -h' },
      { kind: 'table', head: ['What', 'File'], rows: [['a'], [{ code: '/b' }]].map((c) => [c, c]) },
    ];
    expect(toMarkdown(blocks)).toBe(
      [
        '## Runs',
        'In `/work/run_1`, seen at 03:30.',
        '- one\n- two',
        '```sh\ntmux ls\ndf -h\n```',
        '| What | File |\n| --- | --- |\n| a | a |\n| `/b` | `/b` |\n',
      ].join('\n\n'),
    );
  });

  it.each([
    ['a row of backticks in code', text({ code: 'a``b' }), '```a``b```\n'],
    ['code that begins with one', text({ code: '`x' }), '`` `x ``\n'],
    [
      'a fence in a command',
      { kind: 'code', what: 'x', text: 'a\n```\n# b' },
      '````sh\na\n```\n# b\n````\n',
    ],
    [
      'a bar in a cell',
      { kind: 'table', head: ['a'], rows: [[['x|y', { code: 'p|q' }]]] },
      '| a |\n| --- |\n| x\\|y`p\\|q` |\n',
    ],
    ['a heading at the start of a line', text('# not one'), String.raw`\# not one` + '\n'],
    ['a numbered list', text('1. not one'), String.raw`1\. not one` + '\n'],
    [
      'a link, HTML and emphasis',
      text('[a](b) <img> *c* _d_ a_b'),
      String.raw`\[a\](b) \<img\> \*c\* \_d\_ a_b` + '\n',
    ],
  ] as const)('lets nothing act as Markdown: %s', (_name, block, expected) => {
    expect(toMarkdown([block])).toBe(expected);
  });
});
