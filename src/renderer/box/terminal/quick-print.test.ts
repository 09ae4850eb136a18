import { Unicode11Addon } from '@xterm/addon-unicode11';
import { Terminal } from '@xterm/xterm';
import { describe, expect, it } from 'vitest';
import { printQuickly } from './quick-print.ts';

const COLS = 30;
const ROWS = 8;

function create(isQuick: boolean): Terminal {
  const terminal = new Terminal({
    cols: COLS,
    rows: ROWS,
    scrollback: 20,
    allowProposedApi: true,
  });
  terminal.loadAddon(new Unicode11Addon());
  terminal.unicode.activeVersion = '11';
  // Else these tests would compare xterm.js with itself.
  if (isQuick && !printQuickly(terminal)) throw new Error('this xterm.js is another');
  return terminal;
}

/** Everything that a terminal holds: each cell with its letters, width and attributes, and where the cursor stands. */
function picture(terminal: Terminal): readonly string[] {
  const { active } = terminal.buffer;
  const lines = Array.from({ length: active.length }, (_, y) => {
    const line = active.getLine(y);
    const cells = Array.from({ length: COLS }, (_, x) => {
      const cell = line?.getCell(x);
      const colours = [cell?.getFgColorMode(), cell?.getFgColor(), cell?.getBgColor()];
      const marks = [cell?.isBold(), cell?.isUnderline(), cell?.isInverse()];
      return [cell?.getChars(), cell?.getWidth(), ...colours, ...marks].join(',');
    });
    return `${String(line?.isWrapped)} ${cells.join(' ')}`;
  });
  return [...lines, `${active.type} ${active.cursorX},${active.cursorY},${active.baseY}`];
}

const write = (terminal: Terminal, text: string): Promise<void> =>
  new Promise((resolve) => terminal.write(text, resolve));

/** The same numbers with each run, so that what failed once fails again. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

/** Text and everything that changes what text means: places, modes, attributes, wide and combining letters. */
function scribble(roll: (sides: number) => number): string {
  const plain = (length: number): string =>
    Array.from({ length }, () => String.fromCharCode(0x20 + roll(0x5f))).join('');
  const parts: (() => string)[] = [
    () => plain(roll(4)),
    () => plain(roll(20)),
    () => plain(roll(100)),
    () => `${plain(roll(12))}漢字${plain(roll(12))}`,
    () => `${plain(10)}e\u0301${plain(10)}\u0301`,
    () => '漢'.repeat(roll(20)),
    () => `👩‍👩‍👧${plain(9)}ａ`,
    () => '\r\n',
    () => '\r',
    () => '\t',
    () => '\b'.repeat(1 + roll(5)),
    () => `\x1b[${String(1 + roll(ROWS))};${String(1 + roll(COLS))}H`,
    () => `\x1b[${String(roll(110))}m`,
    () => `\x1b[38;5;${String(roll(256))};48;2;1;2;${String(roll(256))}m`,
    () => '\x1b[4:3m',
    () => '\x1b[0m',
    () => `\x1b[?7${roll(3) === 0 ? 'l' : 'h'}`, // wrapping
    () => `\x1b[4${roll(3) === 0 ? 'h' : 'l'}`, // inserting
    () => (roll(3) === 0 ? '\x1b(0' : '\x1b(B'), // letters as lines
    () => `\x1b[${String(1 + roll(4))};${String(4 + roll(5))}r`, // part of the screen scrolls
    () => `\x1b[${String(roll(5))}P\x1b[${String(roll(5))}@`,
    () => `\x1b]8;;${roll(2) === 0 ? '' : 'https://example.org/'}\x07`,
    () => `\x1b[?1049${roll(2) === 0 ? 'h' : 'l'}`,
  ];
  return Array.from({ length: 60 }, () => parts[roll(parts.length)]?.() ?? '').join('');
}

type Core = Record<string, unknown>;
interface Row {
  readonly _data: Uint32Array;
}

/** What `printQuickly` uses, and of no other type than in xterm.js. */
const FIELDS = [
  'print',
  '_parser.setPrintHandler',
  '_bufferService.cols',
  '_charsetService.glevel',
  '_coreService.modes.insertMode',
  '_optionsService.rawOptions.screenReaderMode',
  '_curAttrData.fg',
  '_curAttrData.bg',
  '_activeBuffer.x',
  '_activeBuffer.y',
  '_activeBuffer.ybase',
  '_activeBuffer.lines.get',
] as const;

const nothing = (): void => undefined;
const createCore = (): Core => ({
  print: nothing,
  _parser: { setPrintHandler: nothing },
  _bufferService: { cols: 80 },
  _charsetService: { glevel: 0 },
  _coreService: { modes: { insertMode: false } },
  _optionsService: { rawOptions: { screenReaderMode: false } },
  _curAttrData: { fg: 0, bg: 0 },
  _activeBuffer: { x: 0, y: 0, ybase: 0, lines: { get: nothing } },
});
const like = (handler: Core): Terminal =>
  ({ _core: { _inputHandler: handler } }) as unknown as Terminal;

describe('a terminal that prints quickly', () => {
  it.each(Array.from({ length: 60 }, (_, i) => i + 1))(
    'holds what xterm.js holds after the same bytes (seed %i)',
    async (seed) => {
      const [plain, quick] = [create(false), create(true)];
      const roll = dice(seed);
      for (let i = 0; i < 10; i += 1) {
        const text = scribble(roll);
        await Promise.all([write(plain, text), write(quick, text)]);
        expect(picture(quick)).toEqual(picture(plain));
      }
      plain.dispose();
      quick.dispose();
    },
  );

  it('mends what is left of a wide letter at both ends of a run, and joins what combines with its last one', async () => {
    const [plain, quick] = [create(false), create(true)];
    for (const text of ['漢'.repeat(14), '\r\x1b[C', 'x'.repeat(10), '\u0301', '\r\n']) {
      await Promise.all([write(plain, text), write(quick, text)]);
      expect(picture(quick)).toEqual(picture(plain));
    }
    expect(quick.buffer.active.getLine(0)?.getCell(11)?.getWidth()).toBe(1);
    plain.dispose();
    quick.dispose();
  });

  it('reads each letter aloud to who listens, as xterm.js does', async () => {
    const heard: string[] = [];
    const terminal = create(true);
    terminal.options.screenReaderMode = true;
    const { _inputHandler } = (
      terminal as unknown as {
        _core: { _inputHandler: { onA11yChar(listen: (letter: string) => void): void } };
      }
    )._core;
    _inputHandler.onA11yChar((letter) => heard.push(letter));
    await write(terminal, 'plain text, and long enough');
    expect(heard.join('')).toBe('plain text, and long enough');
    terminal.dispose();
  });

  it.each(FIELDS)('leaves an xterm.js alone that does not keep %s there', (path) => {
    expect(printQuickly(like(createCore()))).toBe(true);
    const core = createCore();
    const names = path.split('.');
    const last = names.pop() ?? '';
    const owner = names.reduce((value, name) => value[name] as Core, core);
    owner[last] = undefined;
    expect(printQuickly(like(core))).toBe(false);
    owner[last] = 'something else';
    expect(printQuickly(like(core))).toBe(false);
  });

  it('fills in nothing where a cell is laid out in another way', async () => {
    const [plain, other] = [create(false), create(false)];
    const real = (other as unknown as { _core: { _inputHandler: Core } })._core._inputHandler;
    let looks = 0;
    // Same types, other places: each row's cells seem to begin one word later.
    const lines = {
      get: (index: number) => {
        looks += 1;
        const row = (real['_activeBuffer'] as { lines: { get(index: number): Row } }).lines;
        return { _data: row.get(index)._data.subarray(1) };
      },
    };
    const buffer = new Proxy(real['_activeBuffer'] as Core, {
      get: (target, name) => (name === 'lines' ? lines : target[name as string]),
    });
    const print = (real['print'] as (...given: unknown[]) => void).bind(real);
    const replaced: Core = { _activeBuffer: buffer, print };
    const handler = new Proxy(real, {
      get: (target, name) => replaced[name as string] ?? target[name as string],
    });
    expect(printQuickly(like(handler))).toBe(true);
    const text = 'plain text, and long enough to be printed in runs, over more than one row';
    await Promise.all([write(plain, text), write(other, text)]);
    expect(looks).toBeGreaterThan(0);
    expect(picture(other)).toEqual(picture(plain));
    plain.dispose();
    other.dispose();
  });

  it('leaves only a few letters of each row to xterm.js', async () => {
    const terminal = create(false);
    const handler = (terminal as unknown as { _core: { _inputHandler: { print: unknown } } })._core
      ._inputHandler;
    const print = handler.print as (letters: Uint32Array, start: number, end: number) => void;
    let letters = 0;
    handler.print = (data: Uint32Array, start: number, end: number) => {
      letters += end - start;
      print.call(handler, data, start, end);
    };
    expect(printQuickly(terminal)).toBe(true);
    await write(terminal, 'x'.repeat(10 * COLS));
    expect(letters).toBeLessThanOrEqual(2 * 10);
    terminal.dispose();
  });
});
