import type { Terminal } from '@xterm/xterm';

/** Below this, telling plain text from other costs more than it brings. */
const MIN_RUN = 8;
const FIRST_PLAIN = 0x20;
const LAST_PLAIN = 0x7e;
/** A cell: its letter with its width from bit 22 on, its colours and attributes. */
const CELL_WORDS = 3;
const WIDTH_ONE = 1 << 22;
/** An underline of its own kind or a hyperlink, which a cell keeps elsewhere. */
const HAS_EXTENDED = 0x10000000;

type Print = (letters: Uint32Array, start: number, end: number) => void;

/** What xterm.js (6.0) keeps to itself: where it prints, and with what. */
interface InputHandler {
  readonly print: Print;
  readonly _parser: { setPrintHandler(print: Print): void };
  readonly _bufferService: { readonly cols: number };
  /** No charset, which is undefined: letters mean themselves. */
  readonly _charsetService: { readonly glevel: number; readonly charset?: object };
  readonly _coreService: { readonly modes: { readonly insertMode: boolean } };
  readonly _optionsService: { readonly rawOptions: { readonly screenReaderMode: boolean } };
  readonly _curAttrData: { readonly fg: number; readonly bg: number };
  readonly _activeBuffer: {
    x: number;
    readonly y: number;
    readonly ybase: number;
    readonly lines: { get(index: number): { readonly _data: Uint32Array } };
  };
}

/** Each field that is used below, and what it is in the xterm.js that this was written for. */
const SHAPE: readonly (readonly [path: string, type: 'function' | 'number' | 'boolean'])[] = [
  ['print', 'function'],
  ['_parser.setPrintHandler', 'function'],
  ['_bufferService.cols', 'number'],
  ['_charsetService.glevel', 'number'],
  ['_coreService.modes.insertMode', 'boolean'],
  ['_optionsService.rawOptions.screenReaderMode', 'boolean'],
  ['_curAttrData.fg', 'number'],
  ['_curAttrData.bg', 'number'],
  ['_activeBuffer.x', 'number'],
  ['_activeBuffer.y', 'number'],
  ['_activeBuffer.ybase', 'number'],
  ['_activeBuffer.lines.get', 'function'],
];

/**
 * Half of the time that xterm.js needs for a flood goes into putting letters into cells, one after the other with every question
 * that a letter can raise. Plain ASCII raises none but at its ends: xterm prints the first and the last letter of a run and the
 * first of each row, which wrap, scroll and mend what wide letters leave, and what lies between is filled in here.
 *
 * False: this xterm.js is another than the one that this was written for, and prints everything itself. What cannot be seen before
 * is looked at in each run: the letter that xterm.js has just printed must lie where and as it would have been filled in.
 */
export function printQuickly(terminal: Terminal): boolean {
  const handler = fieldAt(terminal, '_core._inputHandler') as InputHandler | undefined;
  if (
    handler === undefined ||
    SHAPE.some(([path, type]) => typeof fieldAt(handler, path) !== type)
  ) {
    return false;
  }
  const print: Print = handler.print.bind(handler);

  const printRun: Print = (letters, start, end) => {
    const { cols } = handler._bufferService;
    const buffer = handler._activeBuffer;
    const { fg, bg } = handler._curAttrData;
    for (let at = start; at < end;) {
      print(letters, at, at + 1);
      at += 1;
      const stop = Math.min(end - 1, at + cols - buffer.x);
      if (at >= stop) continue;
      const cells = buffer.lines.get(buffer.ybase + buffer.y)._data;
      let cell = buffer.x * CELL_WORDS;
      const before = cell - CELL_WORDS;
      const isAsExpected =
        cells[before] === ((letters[at - 1] ?? 0) | WIDTH_ONE) &&
        cells[before + 1] === fg &&
        cells[before + 2] === bg;
      if (!isAsExpected) {
        print(letters, at, end);
        return;
      }
      buffer.x += stop - at;
      for (; at < stop; at += 1) {
        cells[cell] = (letters[at] ?? 0) | WIDTH_ONE;
        cells[cell + 1] = fg;
        cells[cell + 2] = bg;
        cell += CELL_WORDS;
      }
    }
  };

  const isQuick = (): boolean =>
    handler._charsetService.charset === undefined &&
    !handler._coreService.modes.insertMode &&
    !handler._optionsService.rawOptions.screenReaderMode &&
    (handler._curAttrData.bg & HAS_EXTENDED) === 0;

  handler._parser.setPrintHandler((letters, start, end) => {
    const isRun = end - start >= MIN_RUN && isQuick() && isPlain(letters, start, end);
    (isRun ? printRun : print)(letters, start, end);
  });
  return true;
}

function fieldAt(from: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], from);
}

function isPlain(letters: Uint32Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const letter = letters[at] ?? 0;
    if (letter < FIRST_PLAIN || letter > LAST_PLAIN) return false;
  }
  return true;
}
