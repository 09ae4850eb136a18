import { isStepName } from '../../../shared/runs/metric-files/csv-metrics.ts';
import { readScalarEvent } from '../../../shared/runs/metric-files/event-scalars.ts';
import { TfRecordReader } from '../../../shared/runs/metric-files/tf-records.ts';
import type { FormatName } from '../../../shared/verify/loaded.ts';
import { hasNumbers } from '../../../shared/verify/numbers/number-formats.ts';
import { MAX_KEY_PARTS, type NumberKey } from '../../../shared/verify/numbers/number-key.ts';
import { composeYaml } from '../../yaml/compose-yaml.ts';
import { MAX_YAML_BYTES } from '../../yaml/read-folder.ts';
import type { ByteSource } from '../byte-source.ts';
import { NotLoadable } from '../damage.ts';
import { holdsLines, MAX_JSON_BYTES, parseJson } from '../json-text.ts';
import { cellKind } from '../tables/number-cell.ts';
import { openCells } from '../tables/delimited.ts';
import type { CellTaker } from '../tables/delimited-scan.ts';
import { TextLines } from '../text-lines.ts';
import { StrictUtf8 } from '../utf8.ts';
import { eachJsonNumber } from './json-numbers.ts';
import { NumberCollector, type NumberSeries } from './number-collector.ts';

/** The numbers of a file while it passes by once; throws `Damaged` and `NotLoadable` as a reading does. */
export interface NumberReading {
  take(piece: Uint8Array, at: number): void;
  end(): NumberCollector;
}

type Wanted = readonly NumberKey[] | null;

/** @param wanted Null: what there is. */
export function openNumbers(format: FormatName, source: ByteSource, wanted: Wanted): NumberReading {
  if (!hasNumbers(format)) {
    throw new NotLoadable('Leasehold reads no single numbers of such a file');
  }
  switch (format) {
    case 'json':
      if (holdsLines(source)) return openLines(wanted);
      return openWhole(source, MAX_JSON_BYTES, (text, take) => {
        parseJson(text, '');
        eachJsonNumber(text, take);
      })(wanted);
    case 'yaml':
      return openWhole(source, MAX_YAML_BYTES, eachYamlNumber)(wanted);
    case 'jsonl':
      return openLines(wanted);
    case 'csv':
    case 'tsv': {
      const cells = openCells(format, source, () => new ColumnNumbers(wanted));
      return { take: cells.take, end: () => cells.end().collector };
    }
    case 'tfevents':
      return openEvents(wanted);
  }
}

type Take = (parts: NumberKey['parts'], literal: string) => void;

/** What holds each number once. */
function openWhole(
  { sizeBytes }: ByteSource,
  maxBytes: number,
  each: (text: string, take: Take) => void,
): (wanted: Wanted) => NumberReading {
  if (sizeBytes > maxBytes) throw new NotLoadable('it is larger than a file of figures');
  const whole = new Uint8Array(sizeBytes);
  return (wanted) => ({
    take: (piece, at) => whole.set(piece, at),
    end: () => {
      const collector = new NumberCollector(true, wanted);
      each(new StrictUtf8().decode(whole), (parts, literal) =>
        collector.seriesOf(parts)?.add(literal, null),
      );
      return collector;
    },
  });
}

function eachYamlNumber(text: string, take: Take): void {
  const found = composeYaml(text, (parts, literal) => {
    const isNumber = cellKind(Buffer.from(literal.replace(/^([-+]?)\./, '$1'))) !== 'other';
    if (isNumber && parts.length > 0 && parts.length <= MAX_KEY_PARTS) take(parts, literal);
  });
  // What is wrong with it is told by the reading that loads it.
  if (!found.ok) throw new NotLoadable('it is no YAML that Leasehold reads');
}

/** One record a line, as they came. */
function openLines(wanted: Wanted): NumberReading {
  const collector = new NumberCollector(false, wanted);
  const lines = new TextLines((line, no) => {
    if (line.trim() === '') return;
    parseJson(line, ` in line ${String(no)}`);
    const numbers: { readonly parts: NumberKey['parts']; readonly literal: string }[] = [];
    eachJsonNumber(line, (parts, literal) => numbers.push({ parts, literal }));
    const counted = numbers.find(
      ({ parts: [name, ...more] }) =>
        more.length === 0 && typeof name === 'string' && isStepName(name),
    );
    const step = counted === undefined ? null : stepOf(counted.literal);
    for (const { parts, literal } of numbers) collector.seriesOf(parts)?.add(literal, step);
  });
  return {
    take: (piece) => lines.take(piece),
    end: () => {
      lines.end();
      return collector;
    },
  };
}

/** The columns of a table. */
class ColumnNumbers implements CellTaker {
  readonly collector: NumberCollector;
  #series: readonly (NumberSeries | null)[] = [];
  #stepAt = -1;

  constructor(wanted: Wanted) {
    this.collector = new NumberCollector(false, wanted);
  }

  header(names: readonly string[], isAll: boolean): void {
    if (!isAll) this.collector.cut();
    this.#stepAt = names.findIndex(isStepName);
    // Of two columns with one name nobody knows which is meant.
    const counts = new Map<string, number>();
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    this.#series = names.map((name) =>
      counts.get(name) === 1 ? this.collector.seriesOf([name]) : null,
    );
  }

  row(literals: readonly (string | null)[]): void {
    const counted = literals[this.#stepAt] ?? null;
    const step = counted === null ? null : stepOf(counted);
    literals.forEach((literal, at) => {
      if (literal !== null) this.#series[at]?.add(literal, step);
    });
  }
}

/** The scalars of TensorBoard, by their tags. */
function openEvents(wanted: Wanted): NumberReading {
  const collector = new NumberCollector(false, wanted);
  const reader = new TfRecordReader((record) => {
    const event = readScalarEvent(record);
    for (const { tag, value } of event?.values ?? []) {
      collector.seriesOf([tag])?.add(String(value), event?.step ?? null);
    }
  });
  return { take: (piece) => reader.take(piece), end: () => collector };
}

function stepOf(literal: string): number | null {
  const step = Number(literal);
  return Number.isSafeInteger(step) ? step : null;
}
