import type { MetricValue } from './metric-line.ts';
import type { Count } from './run-progress.ts';

/** The figures of one row of a table. */
export interface FigureRow {
  /** Of its first column. */
  readonly epochs: Count | null;
  readonly values: readonly MetricValue[];
}

const MAX_COLUMNS = 24;
/** `Epoch GPU_mem box_loss cls_loss …` and `Class Images Instances Box(P R mAP50 …`, as Ultralytics prints them. */
const HEAD = /^\s{0,20}(?:Epoch\s.{0,200}loss|Class\s{1,20}Images\s)/;
const EPOCH = /^(\d{1,6})\/(\d{1,6})$/;
const FIGURE = /^(?:[-+]?(?:\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})(?:e[-+]?\d{1,3})?|nan|-?inf)$/i;
const NO_METRIC = /^(?:epoch|class|images|instances|gpu_mem|size)$/i;

/** Figures whose names stand in a line above them. */
export class FigureTable {
  #names: readonly string[] = [];

  /** Null: the line is no row of the table that was begun last. */
  read(line: string): FigureRow | null {
    if (HEAD.test(line)) {
      this.#names = wordsOf(line.slice(0, 400).split(/:\s/, 1)[0] ?? '').map(nameOf);
      return null;
    }
    if (this.#names.length === 0) return null;
    const words = wordsOf(line);
    const [first = ''] = words;
    const [, done, total] = EPOCH.exec(first) ?? [];
    const isRow = this.#names[0] === 'Epoch' ? done !== undefined : first === 'all';
    if (!isRow || words.length < this.#names.length) return null;
    const values = this.#names.flatMap((name, i): readonly MetricValue[] => {
      const word = words[i] ?? '';
      if (NO_METRIC.test(name) || !FIGURE.test(word)) return [];
      return [{ name, value: numberOf(word) }];
    });
    const isCount = done !== undefined && Number(done) <= Number(total) && Number(total) > 0;
    return { epochs: isCount ? { done: Number(done), total: Number(total) } : null, values };
  }
}

const wordsOf = (line: string): readonly string[] =>
  line.slice(0, 400).trim().split(/\s+/, MAX_COLUMNS);

/** Of `Box(P` the figure is `P`. */
const nameOf = (word: string): string =>
  (word.split('(').at(-1) ?? word).replace(')', '').slice(0, 48);

function numberOf(word: string): number {
  if (/n$/i.test(word)) return NaN;
  if (/f$/i.test(word)) return word.startsWith('-') ? -Infinity : Infinity;
  return Number(word);
}
