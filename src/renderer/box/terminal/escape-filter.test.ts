import { Terminal } from '@xterm/xterm';
import { afterEach, describe, expect, it } from 'vitest';
import { filterEscapes, type FilteredEscape } from './escape-filter.ts';

const terminals: Terminal[] = [];
afterEach(() => {
  for (const each of terminals.splice(0)) each.dispose();
});

function setUp() {
  const terminal = new Terminal({ allowProposedApi: true, cols: 80, rows: 24 });
  terminals.push(terminal);
  const filtered: FilteredEscape[] = [];
  const titles: string[] = [];
  const sent: string[] = [];
  let bells = 0;
  let nowMs = 0;
  const filter = {
    onFiltered: (what: FilteredEscape) => void filtered.push(what),
    onTitle: (title: string) => void titles.push(title),
    onBell: () => void (bells += 1),
  };
  filterEscapes(terminal, filter, () => nowMs);
  const changes: string[] = [];
  terminal.onTitleChange((title) => changes.push(title));
  terminal.onData((data) => sent.push(data));
  return {
    terminal,
    filtered,
    titles,
    changes,
    sent,
    bells: () => bells,
    pass: (ms: number) => (nowMs += ms),
    print: (text: string) => new Promise<void>((done) => terminal.write(text, done)),
    line: (row: number) => terminal.buffer.active.getLine(row)?.translateToString(true),
  };
}

describe('filterEscapes', () => {
  it('refuses to write and to read the clipboard, answers nothing, and says so', async () => {
    const { print, filtered, sent, line } = setUp();
    await print('a\x1b]52;c;aGVsbG8=\x07b\x1b]52;c;?\x1b\\c');
    expect(filtered).toEqual(['clipboard-write', 'clipboard-read']);
    expect(sent).toEqual([]);
    expect(line(0)).toBe('abc');
  });

  it('keeps a flood of titles down and takes out what is hidden', async () => {
    const { print, titles, changes, pass } = setUp();
    await print('\x1b]0;a\u202eb\u0007c'.replace('\u0007', '\x07'));
    expect(titles).toEqual(['a b']);
    await print('\x1b]2;x\x07'.repeat(10_000));
    expect(titles.length).toBeLessThanOrEqual(5);
    pass(1000);
    await print(`\x1b]2;${'long '.repeat(100_000)}\x07`);
    expect(titles.at(-1)?.length).toBeLessThanOrEqual(80);
    expect(changes).toEqual([]); // xterm's own title is never set
  });

  it.each(['javascript:alert(1)', 'file:///etc/passwd', 'x', `https://a/${'b'.repeat(3000)}`])(
    'drops a hyperlink to %s and keeps its text',
    async (address) => {
      const { print, filtered, line } = setUp();
      await print(`\x1b]8;;${address}\x07text\x1b]8;;\x07.`);
      expect(filtered).toEqual(['link']);
      expect(line(0)).toBe('text.');
    },
  );

  it('keeps a hyperlink to a web address', async () => {
    const { print, filtered } = setUp();
    await print('\x1b]8;id=1;https://wandb.ai/x\x07text\x1b]8;;\x07.');
    expect(filtered).toEqual([]);
  });

  it.each([
    '\x1b[c',
    '\x1b[>c',
    '\x1b[5n',
    '\x1b[6n',
    '\x1b[?6n',
    '\x1b[4$p',
    '\x1b[?25$p',
    '\x1b[?1004h',
    '\x1bP$qm\x1b\\',
  ])('answers %j to a program, but not to a flood', async (question) => {
    const { print, sent, filtered, pass } = setUp();
    await print(question);
    expect(sent).toHaveLength(1);
    await print(question.repeat(20_000));
    expect(sent.length).toBeLessThanOrEqual(40);
    expect(filtered).toContain('answers');
    pass(1000);
    const before = sent.length;
    await print(question);
    expect(sent).toHaveLength(before + 1);
  });

  it.each(['4;0;?', '10;?', '4;1;#fff;2;?'])(
    'counts each of the colours that the one order %j asks for',
    async (order) => {
      const { print, filtered, sent } = setUp();
      await print(`\x1b]${order}\x07`);
      expect(filtered).toEqual([]);
      const [code, ...rest] = order.split(';');
      await print(`\x1b]${String(code)};${`${rest.join(';')};`.repeat(100)}\x07`);
      expect(filtered).toEqual(['answers']);
      await print(`\x1b]4;${'1;#fff;'.repeat(50_000)}\x07`);
      expect(filtered).toEqual(['answers', 'answers']);
      expect(sent.length).toBeLessThanOrEqual(1);
    },
  );

  it('counts each request for focus reports in one order, and sets the other modes of a flood all the same', async () => {
    const { terminal, print, sent, filtered } = setUp();
    await print(`\x1b[?${'1004;'.repeat(31)}2004h`);
    expect(sent).toHaveLength(31);
    await print(`\x1b[?2004l\x1b[?${'1004;'.repeat(31)}2004h`.repeat(1000));
    expect(sent).toHaveLength(31);
    expect(filtered).toContain('answers');
    expect(terminal.modes).toMatchObject({ bracketedPasteMode: true, sendFocusMode: true });
    terminal.input('typed');
    expect(sent.at(-1)).toBe('typed');
  });

  it('never answers with text that the box chose', async () => {
    const { print, sent } = setUp();
    await print('\x1b]0;touch /tmp/pwned\x07\x1b[21t\x1b[20t\x1b[18t');
    await print('\x1bP$qtouch /tmp/pwned\x1b\\\x1bP+q746f756368\x1b\\\x05');
    expect(sent.join('')).not.toMatch(/touch|746f/);
  });

  it('rings once for a thousand bells', async () => {
    const { print, bells, pass } = setUp();
    await print('\x07'.repeat(1000));
    expect(bells()).toBe(1);
    pass(1500);
    await print('\x07');
    expect(bells()).toBe(2);
  });
});
