import { UNTOLD_DETAILS, type GpuDetails } from '../telemetry/gpu-facts.ts';
import { UNTOLD_READING, type GpuReading } from '../telemetry/gpu-reading.ts';
import { LineSplitter } from './line-splitter.ts';
import type { MarkedSections } from './marked-sections.ts';
import { normalPciAddress } from './pci-address.ts';
import { BatchBuilder, type ReadingBatch } from './reading-batch.ts';

// Best effort: names and nesting of both tools changed with their versions, and no recording of a whole box was at hand.
// What is not found under a name that is known is unknown.

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** "12", 12, "12.5", "(1500Mhz)" or {value: 12, unit: "W"}; in a unit that is not expected: null. */
function figure(value: unknown, units: readonly string[] = []): number | null {
  if (isObject(value)) {
    const unit = value['unit'];
    const isExpected = typeof unit !== 'string' || units.includes(unit);
    return isExpected ? figure(value['value'], units) : null;
  }
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : null;
  if (typeof value !== 'string') return null;
  const [, digits] =
    /^\(?(\d{1,15}(?:\.\d{1,6})?)\s*(?:°?[A-Za-z%]{1,4})?\)?$/.exec(value.trim()) ?? [];
  return digits === undefined ? null : Number(digits);
}

function within(value: number | null, max: number): number | null {
  return value === null || value > max ? null : value;
}

function at(json: unknown, ...path: readonly string[]): unknown {
  let here = json;
  for (const key of path) here = isObject(here) ? here[key] : undefined;
  return here;
}

/** The first of these names that has a value. */
function firstOf(
  card: Json,
  names: readonly string[],
  units: readonly string[] = [],
): number | null {
  for (const name of names) {
    const value = figure(card[name], units);
    if (value !== null) return value;
  }
  return null;
}

/** `amd-smi metric --json`: a list of cards, or an object that holds it as `gpu_data`. Null: neither. */
function amdSmiCards(json: unknown): readonly Json[] | null {
  const list = Array.isArray(json) ? json : at(json, 'gpu_data');
  return Array.isArray(list) ? list.filter(isObject) : null;
}

function readAmdSmiCard(card: Json): GpuReading | null {
  const index = figure(card['gpu']);
  if (index === null || !Number.isInteger(index) || index > 999) return null;
  const used = figure(at(card, 'mem_usage', 'used_vram'), ['MB', 'MiB']);
  return {
    ...UNTOLD_READING,
    index,
    smPct: within(figure(at(card, 'usage', 'gfx_activity'), ['%']), 100),
    memPct: within(figure(at(card, 'usage', 'umc_activity'), ['%']), 100),
    powerW: figure(at(card, 'power', 'socket_power') ?? at(card, 'power', 'current_power'), ['W']),
    temperatureC: sensor(card, 'hotspot') ?? sensor(card, 'edge'),
    memoryTemperatureC: sensor(card, 'mem'),
    smClockMHz: figure(at(card, 'clock', 'gfx_0', 'clk'), ['MHz']),
    memoryClockMHz: figure(at(card, 'clock', 'mem_0', 'clk'), ['MHz']),
    memoryUsedMiB: used,
  };
}

/** `hotspot`, which versions before 6.0 call `hotspot_temperature`. */
function sensor(card: Json, name: string): number | null {
  const of = (key: string): number | null =>
    within(figure(at(card, 'temperature', key), ['C', '°C']), 250);
  return of(name) ?? of(`${name}_temperature`);
}

/** `rocm-smi … --json`: an object with `card0`, `card1` … beside others. */
function readRocmCard(name: string, card: unknown): GpuReading | null {
  const [, digits] = /^card(\d{1,3})$/.exec(name) ?? [];
  if (digits === undefined || !isObject(card)) return null;
  const usedBytes = firstOf(card, ['VRAM Total Used Memory (B)']);
  const temperature = (sensor: string): number | null =>
    within(firstOf(card, [`Temperature (Sensor ${sensor}) (C)`]), 250);
  return {
    ...UNTOLD_READING,
    index: Number(digits),
    smPct: within(firstOf(card, ['GPU use (%)']), 100),
    memPct: within(
      firstOf(card, ['GPU Memory Read/Write Activity (%)', 'GPU memory use (%)']),
      100,
    ),
    powerW: firstOf(card, [
      'Current Socket Graphics Package Power (W)',
      'Average Graphics Package Power (W)',
    ]),
    temperatureC: temperature('junction') ?? temperature('edge'),
    memoryTemperatureC: temperature('memory'),
    smClockMHz: firstOf(card, ['sclk clock speed:']),
    memoryClockMHz: firstOf(card, ['mclk clock speed:']),
    memoryUsedMiB: usedBytes === null ? null : Math.round(usedBytes / 1024 ** 2),
  };
}

/** Null: not what either tool prints. */
export function parseAmdReadings(text: string): readonly GpuReading[] | null {
  const json = parseJson(text);
  const cards = amdSmiCards(json);
  const readings =
    cards === null
      ? Object.entries(isObject(json) ? json : {}).map(([name, card]) => readRocmCard(name, card))
      : cards.map(readAmdSmiCard);
  const readable = readings.filter((reading) => reading !== null);
  return readable.length === 0 ? null : [...readable].sort((a, b) => a.index - b.index);
}

/** The first brace or bracket on: some versions print a warning before their JSON. */
function parseJson(text: string): unknown {
  const start = text.search(/^[[{]/m);
  if (start < 0) return null;
  try {
    return JSON.parse(text.slice(start));
  } catch {
    return null; // cut off, or not JSON: the caller counts it
  }
}

/** Stands alone on a line behind each sample, which no JSON of theirs can hold. */
const SAMPLE_END = 'leasehold-end-of-sample';

/**
 * Both tools are asked again and again by a loop on the box: neither has a form that prints by itself. It ends when the
 * tool fails or nobody reads any more.
 */
export function amdLoopCommand(tool: 'amd-smi' | 'rocm-smi'): string {
  const look =
    tool === 'amd-smi'
      ? 'amd-smi metric --json'
      : 'rocm-smi --showuse --showmemuse --showmeminfo vram --showpower --showtemp --showclocks --json';
  return `PATH=$PATH:/opt/rocm/bin; while ${look} </dev/null && echo && echo ${SAMPLE_END}; do sleep 1; done`;
}

const MAX_SAMPLE_CHARS = 1024 * 1024;

/** Reads what `amdLoopCommand` prints: one JSON text after the other. */
export class AmdReader {
  readonly #lines = new LineSplitter((line, isCut) => this.#read(line, isCut));
  /** The lines of the sample that is not whole yet, and how long they are together. */
  #sample: string[] = [];
  #chars = 0;
  #batch = new BatchBuilder();

  push(chunk: string): ReadingBatch {
    this.#lines.push(chunk);
    return this.#take();
  }

  end(): ReadingBatch {
    this.#lines.end();
    const text = this.#takeSample();
    if (text !== '') this.#batch.unreadable.add(text);
    return this.#take();
  }

  #read(line: string, isCut: boolean): void {
    if (!isCut && line === SAMPLE_END) this.#finish();
    else if (isCut || this.#chars + line.length > MAX_SAMPLE_CHARS) {
      this.#batch.unreadable.add(line);
      this.#takeSample();
    } else {
      this.#sample.push(line);
      this.#chars += line.length + 1;
    }
  }

  #takeSample(): string {
    const text = this.#sample.join('\n').trim();
    this.#sample = [];
    this.#chars = 0;
    return text;
  }

  #finish(): void {
    const text = this.#takeSample();
    if (text === '') return;
    const readings = parseAmdReadings(text);
    if (readings === null) this.#batch.unreadable.add(text);
    else this.#batch.readings.push(...readings);
  }

  #take(): ReadingBatch {
    const batch = this.#batch.build();
    this.#batch = new BatchBuilder();
    return batch;
  }
}

/** The facts of AMD cards; null: the script did not ask, because the box has nvidia-smi. */
export function readAmdFacts(sections: MarkedSections): readonly GpuDetails[] | null {
  const rocm = sections.text('rocm');
  const smi = sections.text('amd-static');
  if (rocm === null && smi === null) return null;
  if (smi !== null) {
    return (amdSmiCards(parseJson(smi)) ?? []).flatMap((card) => {
      const index = figure(card['gpu']);
      if (index === null) return [];
      const address = at(card, 'bus', 'bdf');
      return [
        details(index, {
          uuid: textAt(card, 'asic', 'asic_serial'),
          name: textAt(card, 'asic', 'market_name'),
          driver: textAt(card, 'driver', 'version'),
          memoryTotalMiB: figure(at(card, 'vram', 'size'), ['MB', 'MiB']),
          powerLimitW:
            figure(at(card, 'limit', 'socket_power'), ['W']) ??
            figure(at(card, 'limit', 'ppt0', 'socket_power_limit'), ['W']),
          pciAddress: typeof address === 'string' ? normalPciAddress(address) : null,
        }),
      ];
    });
  }
  const json = parseJson(rocm ?? '');
  return Object.entries(isObject(json) ? json : {}).flatMap(([name, card]) => {
    const [, digits] = /^card(\d{1,3})$/.exec(name) ?? [];
    if (digits === undefined || !isObject(card)) return [];
    const totalBytes = firstOf(card, ['VRAM Total Memory (B)']);
    return [
      details(Number(digits), {
        uuid: textAt(card, 'Unique ID'),
        name: nameAt(card, 'Card Series') ?? nameAt(card, 'Card series'),
        driver: textAt(json, 'system', 'Driver version'),
        memoryTotalMiB: totalBytes === null ? null : Math.round(totalBytes / 1024 ** 2),
        powerLimitW: firstOf(card, ['Max Graphics Package Power (W)']),
        pciAddress: normalPciAddress(textAt(card, 'PCI Bus') ?? ''),
      }),
    ];
  });
}

function textAt(json: unknown, ...path: readonly string[]): string | null {
  const value = at(json, ...path);
  return typeof value === 'string' && value !== '' && value !== 'N/A' ? value.slice(0, 200) : null;
}

/** Without its table of names the tool prints numbers in their place. */
function nameAt(card: Json, key: string): string | null {
  const name = textAt(card, key);
  return name === null || /^0x[0-9a-f]+$/i.test(name) ? null : name;
}

interface KnownOfAmd {
  readonly uuid: string | null;
  readonly name: string | null;
  readonly driver: string | null;
  readonly memoryTotalMiB: number | null;
  readonly powerLimitW: number | null;
  readonly pciAddress: string | null;
}

function details(index: number, known: KnownOfAmd): GpuDetails {
  return {
    ...UNTOLD_DETAILS,
    index,
    uuid: known.uuid ?? known.pciAddress ?? `#${String(index)}`,
    name: known.name ?? 'AMD GPU',
    driverVersion: known.driver,
    memoryTotalMiB: known.memoryTotalMiB,
    powerLimitW: known.powerLimitW,
    pciAddress: known.pciAddress,
  };
}
