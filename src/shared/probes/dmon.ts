import type { GpuReading } from '../telemetry/gpu-reading.ts';
import {
  applyDmonUnits,
  cellsBetweenCommas,
  DATE_SLOT,
  DMON_COLUMNS,
  parseDmonHeader,
  TIME_SLOT,
  type DmonLayout,
} from './dmon-columns.ts';
import { classifyGpuToolFailure, isGpuToolFailureDetail } from './gpu-tool-failure.ts';
import { MAX_LINE_CHARS } from './line-splitter.ts';
import { BatchBuilder, type ReadingBatch } from './reading-batch.ts';

/** The groups of columns that dmon may be asked for (facts/nvidia.md §1.1), the ones that charts need most first. */
export const DMON_LETTERS = ['p', 'u', 'c', 'v', 'm', 'e', 't'] as const;

/** One row per GPU and second until stopped. The letters are from `DMON_LETTERS`. */
export function dmonCommand(letters: readonly string[]): string {
  return `nvidia-smi dmon -s ${letters.join('')} -d 1`;
}

const TAB = 9;
const RETURN = 13;
const BLANK = 32;
const DIGIT_0 = 48;

/**
 * Reads a `dmon` stream in pieces cut anywhere. The header decides what a column is, every time it comes; a row before
 * any header, a row wider or shorter than the header and a figure that cannot be true are unreadable lines.
 */
export class DmonReader {
  /** The begun last line of the pieces so far. */
  #carry = '';
  /** Inside a line that was already given up as too long. */
  #isSkipping = false;
  #layout: DmonLayout | null = null;
  /** The cells of the row being read, in the order of DMON_COLUMNS. */
  #cells: (number | null)[] = [];
  #date = '';
  #time = '';
  #unknown: Record<string, string> | null = null;
  #batch = new BatchBuilder();

  push(chunk: string): ReadingBatch {
    const end = chunk.lastIndexOf('\n') + 1;
    let from = 0;
    if (end > 0 && (this.#carry !== '' || this.#isSkipping)) {
      from = chunk.indexOf('\n') + 1;
      if (this.#isSkipping) this.#isSkipping = false;
      else this.#readLines(this.#carry + chunk.slice(0, from));
      this.#carry = '';
    }
    this.#readLines(chunk, from, end);
    this.#keep(chunk.slice(end));
    return this.#take();
  }

  /** The stream is over: a last line without its newline is read if it is certainly whole. */
  end(): ReadingBatch {
    const line = this.#carry;
    this.#carry = '';
    this.#isSkipping = false;
    if (line !== '') this.#readLastLine(line);
    return this.#take();
  }

  #take(): ReadingBatch {
    const batch = this.#batch.build();
    this.#batch = new BatchBuilder();
    return batch;
  }

  #keep(rest: string): void {
    if (this.#isSkipping) return;
    // Joining is lazy in the engine, so single-character pieces stay cheap: nothing looks into the text before a newline.
    this.#carry += rest;
    if (this.#carry.length <= MAX_LINE_CHARS) return;
    this.#batch.unreadable.add(this.#carry);
    this.#carry = '';
    this.#isSkipping = true;
  }

  /** `text[from..end)` is whole lines. */
  #readLines(text: string, from = 0, end = text.length): void {
    let start = from;
    while (start < end) {
      const newline = text.indexOf('\n', start);
      const stop =
        newline > start && text.charCodeAt(newline - 1) === RETURN ? newline - 1 : newline;
      if (newline - start > MAX_LINE_CHARS) this.#batch.unreadable.add(text.slice(start, stop));
      else {
        const reading = this.#readRow(text, start, stop);
        if (reading !== null) this.#batch.readings.push(reading);
        else if (stop > start) this.#readOther(text.slice(start, stop));
      }
      start = newline + 1;
    }
  }

  /**
   * A cut can hide inside the last figure ("198" of "1980"). Rows end with a blank or, right-aligned, are as long as their
   * header (longer only after a value that is wider than its column); a shorter last row may be cut and is not believed.
   */
  #readLastLine(line: string): void {
    const reading = this.#readRow(line, 0, line.endsWith('\r') ? line.length - 1 : line.length);
    if (reading === null) this.#readOther(line);
    else if (/\s$/.test(line) || line.length >= (this.#layout?.width ?? 0)) {
      this.#batch.readings.push(reading);
    } else this.#batch.unreadable.add(line);
  }

  /** Null: not a readable row. */
  #readRow(text: string, from: number, end: number): GpuReading | null {
    const layout = this.#layout;
    if (layout === null) return null;
    if (!layout.hasCommas) return this.#readCells(layout, text, from, end);
    const cells = cellsBetweenCommas(text.slice(from, end));
    if (cells.some((cell) => cell === '' || /\s/.test(cell))) return null;
    const plain = cells.join(' ');
    return this.#readCells(layout, plain, 0, plain.length);
  }

  /** The hot path: characters to figures without cutting the text into pieces. */
  #readCells(
    { slots, maxima }: DmonLayout,
    text: string,
    from: number,
    end: number,
  ): GpuReading | null {
    const cells = this.#cells;
    this.#unknown = null;
    let at = from;
    for (let column = 0; column < slots.length; column += 1) {
      while (at < end && isBlank(text.charCodeAt(at))) at += 1;
      const start = at;
      let value = 0;
      let digit: number;
      while (at < end && (digit = text.charCodeAt(at) - DIGIT_0) >= 0 && digit <= 9) {
        value = value * 10 + digit;
        at += 1;
      }
      const isNumber = at > start && (at === end || isBlank(text.charCodeAt(at)));
      const slot = slots[column] as number;
      if (isNumber && slot >= 0) {
        if (value > (maxima[column] as number)) return null;
        cells[slot] = value;
        continue;
      }
      while (at < end && !isBlank(text.charCodeAt(at))) at += 1;
      if (at === start || !this.#takeWord(slot, column, text.slice(start, at))) return null;
    }
    while (at < end && isBlank(text.charCodeAt(at))) at += 1;
    return at === end ? this.#reading() : null;
  }

  /** A cell that is not a plain figure. False: it is nothing that belongs there. */
  #takeWord(slot: number, column: number, word: string): boolean {
    if (slot >= 0) {
      this.#cells[slot] = null;
      return NOT_REPORTED.has(word);
    }
    if (slot === DATE_SLOT) {
      this.#date = word;
      return /^\d{8}$/.test(word);
    }
    if (slot === TIME_SLOT) {
      this.#time = word;
      return /^\d\d:\d\d:\d\d$/.test(word);
    }
    this.#unknown ??= {};
    this.#unknown[this.#layout?.names[column] ?? ''] = word;
    return /^[\x21-\x7e]{1,64}$/.test(word);
  }

  /** One literal, so that all readings share one shape. Null: a row that does not say whose it is. */
  #reading(): GpuReading | null {
    const cells = this.#cells as readonly (number | null)[] as DmonCells;
    const index = cells[0];
    if (index === null) return null;
    return {
      index,
      powerW: cells[1],
      temperatureC: cells[2],
      memoryTemperatureC: cells[3],
      smPct: cells[4],
      memPct: cells[5],
      encoderPct: cells[6],
      decoderPct: cells[7],
      jpegPct: cells[8],
      opticalFlowPct: cells[9],
      memoryClockMHz: cells[10],
      smClockMHz: cells[11],
      powerViolationPct: cells[12],
      isThermallyHeld: cells[13] === null ? null : cells[13] === 1,
      throttleBits: null,
      memoryUsedMiB: cells[14],
      bar1UsedMiB: cells[15],
      protectedMemoryUsedMiB: cells[16],
      eccSingleBitErrors: cells[17],
      eccDoubleBitErrors: cells[18],
      pcieReplayErrors: cells[19],
      pcieRxMBps: cells[20],
      pcieTxMBps: cells[21],
      boxTime: this.#boxTime(),
      unknownColumns: this.#unknown,
    };
  }

  #boxTime(): string | null {
    if (this.#date === '') return this.#time === '' ? null : this.#time;
    return this.#time === '' ? this.#date : `${this.#date} ${this.#time}`;
  }

  /** Everything that is not a row: headers, nvidia-smi's complaints, what a terminal adds, and the unreadable. */
  #readOther(line: string): void {
    if (line.trim() === '') return;
    const header = parseDmonHeader(line);
    if (header !== null) {
      if (header.kind === 'names') this.#use(header.layout);
      else if (header.kind === 'units' && this.#layout !== null) {
        this.#use(applyDmonUnits(this.#layout, header.units));
      } else this.#use(null);
      if (this.#layout === null) this.#batch.unreadable.add(line);
      return;
    }
    const failure = classifyGpuToolFailure(line);
    if (failure !== null) this.#batch.failures.push(failure);
    else if (!isGpuToolFailureDetail(line) && !isTerminalNoise(line)) {
      this.#batch.unreadable.add(line);
    }
  }

  /** A header that cannot be used ends the old one too: rows under it must not be read with the wrong names. */
  #use(layout: DmonLayout | null): void {
    this.#layout = layout;
    this.#cells = DMON_COLUMNS.map(() => null);
    this.#date = '';
    this.#time = '';
  }
}

/** A whole recorded text. */
export function parseDmon(text: string): ReadingBatch {
  const reader = new DmonReader();
  const body = reader.push(text);
  const tail = reader.end();
  return {
    readings: [...body.readings, ...tail.readings],
    unreadable: [...body.unreadable, ...tail.unreadable],
    unreadableCount: body.unreadableCount + tail.unreadableCount,
    failures: [...body.failures, ...tail.failures],
  };
}

type Cell = number | null;
/** DMON_COLUMNS as a tuple, so that the compiler knows how many cells there are. */
type DmonCells = readonly [
  ...[Cell, Cell, Cell, Cell, Cell, Cell, Cell, Cell, Cell, Cell, Cell],
  ...[Cell, Cell, Cell, Cell, Cell, Cell, Cell, Cell, Cell, Cell, Cell],
];

/** Not supported by the card, or refused this time: the tool does not tell which (facts/nvidia.md §1.2). */
const NOT_REPORTED: ReadonlySet<string> = new Set(['-', 'N/A', '[N/A]', 'ERR!']);

function isBlank(code: number): boolean {
  return code === BLANK || code === TAB;
}

// Longer ones are unreadable anyway, and a regular expression on them could be made to take long.
const MAX_NOISE_CHARS = 512;
// The command itself, at a prompt or alone on its line; a sentence that names it is not noise.
const ECHOED_COMMAND =
  // linear-regexp: MAX_NOISE_CHARS
  /^(?:[^\x00-\x1f\x7f]*[$#%>] ?)?(?:[\w./-]+ )*?[\w./-]*nvidia-smi(?:\.exe)?\s+dmon(?:\s+-.*|\s*[|>&].*)?\s*$/;
const INTERRUPT = /^\s*\^C\s*$/;
// linear-regexp: MAX_NOISE_CHARS
const PROMPT = /^\s*(?:\^C)?(?:\([\w.-]+\) )?\[?[\w.-]+@[\w.-]+[^\x00-\x1f\x7f]*[$#%>]\s*$/;

/** What copying from a terminal or a PTY adds around the stream. */
function isTerminalNoise(line: string): boolean {
  if (line.length > MAX_NOISE_CHARS) return false;
  return ECHOED_COMMAND.test(line) || INTERRUPT.test(line) || PROMPT.test(line);
}
