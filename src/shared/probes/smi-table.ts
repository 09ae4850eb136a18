import {
  MAX_CARDS,
  MAX_PER_CARD,
  type CardReport,
  type ListedProcess,
  type MigInstance,
} from './card-report.ts';
import {
  classifyGpuToolFailure,
  isGpuToolFailureDetail,
  type GpuToolFailure,
} from './gpu-tool-failure.ts';
import { MAX_LINE_CHARS } from './line-splitter.ts';
import { nonBlankLines, UnreadableLines } from './probe-output.ts';
import type { QueryCell } from './query.ts';
import { readCell } from './report-cells.ts';
import type { FieldKind } from './report-fields.ts';

const BORDER = /^[+|][-=+]{20,}[+|]$/;
const TIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} +\d{1,2} \d\d:\d\d:\d\d \d{4}$/;
/** Titles of the columns, in the layouts of 418 to 610. */
const TITLES =
  /^\| (?:GPU +Name |Fan +Temp |Processes: |MIG devices: | *GPU +GI +CI | *ID +ID | *GPU +PID +Type )|^\| +\| +\| +MIG M\. \|$|^\| +\| +\| +ECC\| +\|$/;
const NOTHING = /^\| +(?:No running processes found|No MIG devices found|Not Supported) +\|$/;

// `|   0  NVIDIA H100 80GB HBM3          On  |   00000000:00:09.0 Off |                   On |`
const CARD_NAME = /^ {1,4}(\d{1,3}) {1,2}(\S.{0,60}?) +(On|Off|N\/A|ERR!|WDDM|TCC|MCDM)$/;
const CARD_PLACE = /^([0-9A-Fa-f:.]{7,20}|N\/A|ERR!) +(On|Off|N\/A|ERR!)$/;
// `| N/A   52C    P0            432W /  700W |   11125MiB /  81559MiB |     N/A      Default |`
const CARD_STATE =
  /^(\d{1,3}%|N\/A|ERR!) +(-?\d{1,3}C|N\/A|ERR!) +(P\d{1,2}|N\/A|ERR!|Unknown) +(\d{1,6}W|N\/A|ERR!|Unknown Error) *\/ *(\d{1,6}W|N\/A|ERR!|Unknown Error)$/;
const CARD_MEMORY =
  /^(?:(\d{1,9}MiB|N\/A|ERR!) *\/ *(\d{1,9}MiB|N\/A|ERR!)|Not Supported|N\/A|ERR!)$/;
const CARD_LOAD = /^(\d{1,3}%|N\/A|ERR!) +(Default|E\. Process|E\. Thread|Prohibited|N\/A|ERR!)$/;
const CARD_MIG = /^(Enabled|Disabled|N\/A|ERR!)\*?$/;
// `|  0    2   0   0  |           11091MiB / 40448MiB    | 60      0 |  3   0    3    0    3 |`
const INSTANCE = /^(\d{1,3}) +(\d{1,3}) +(\d{1,3}) +(\d{1,3})$/;
const MEMORY_PAIR = /^(\d{1,9}|N\/A)(?:MiB)? *\/ *(\d{1,9}|N\/A)(?:MiB)?$/;
// `|    0   N/A  N/A            1720      G   /usr/bin/gnome-shell                    173MiB |`
const PROCESS =
  /^(\d{1,3})(?: +(\d{1,3}|N\/A) +(\d{1,3}|N\/A))? +(\d{1,10}) +(C|G|C\+G|M|M\+C|N\/A) +(?:(\S(?:.*\S)?) +)?(\d{1,9}MiB|N\/A|Insufficient Permissions)$/;
const DRIVER = /\b(?:Driver|KMD) Version: (\d[\d.]{0,30})/;
const CUDA = /\bCUDA (?:UMD )?Version: (\d{1,3}\.\d{1,3})/;

const PERCENT: FieldKind = { kind: 'figure', unit: '%', max: 100 };
const FAN: FieldKind = { kind: 'figure', unit: '%', max: 999 };
const WATTS: FieldKind = { kind: 'figure', unit: 'W', max: 100_000 };
const MEMORY: FieldKind = { kind: 'figure', unit: 'MiB', max: 2 ** 24 };

/** Reads the table of a bare `nvidia-smi`, one or several in a row: cards, MIG devices and processes by their cells. */
export function parseSmiTable(text: string): CardReport {
  const reader = new TableReader();
  for (const line of nonBlankLines(text)) reader.read(line.trimEnd());
  return reader.build();
}

class TableReader {
  readonly #rows: Map<string, QueryCell>[] = [];
  /** Of each index, where its newest row is. */
  readonly #places = new Map<string, number>();
  readonly #instances: MigInstance[] = [];
  readonly #processes: ListedProcess[] = [];
  readonly #failures: GpuToolFailure[] = [];
  readonly #unreadable = new UnreadableLines();
  #driverVersion: string | null = null;
  #cudaVersion: string | null = null;
  /** Which line of the card is next: its state, its MIG mode. */
  #next: 'state' | 'mig' | null = null;
  #isAfterInstance = false;
  #listsProcesses = false;

  read(line: string): void {
    if (line.length > MAX_LINE_CHARS) this.#unreadable.add(line);
    else if (!this.#readFrame(line) && !this.#readRow(line)) this.#unreadable.add(line);
  }

  build(): CardReport {
    return {
      rows: this.#rows.map((row) => Object.fromEntries(row)),
      instances: this.#instances,
      processes: this.#processes,
      listsProcesses: this.#listsProcesses,
      driverVersion: this.#driverVersion,
      cudaVersion: this.#cudaVersion,
      attachedGpus: null,
      failures: this.#failures,
      unreadable: this.#unreadable.lines,
      unreadableCount: this.#unreadable.count,
    };
  }

  /** What stands around the rows. */
  #readFrame(line: string): boolean {
    if (BORDER.test(line)) {
      this.#next = null;
      this.#isAfterInstance = false;
      return true;
    }
    if (line.startsWith('| Processes: ')) this.#listsProcesses = true;
    if (TIME.test(line) || TITLES.test(line) || NOTHING.test(line)) return true;
    if (line.startsWith('| NVIDIA-SMI ')) {
      this.#driverVersion = DRIVER.exec(line)?.[1] ?? this.#driverVersion;
      this.#cudaVersion = CUDA.exec(line)?.[1] ?? this.#cudaVersion;
      return true;
    }
    const failure = classifyGpuToolFailure(line);
    if (failure !== null) this.#failures.push(failure);
    return failure !== null || isGpuToolFailureDetail(line);
  }

  #readRow(line: string): boolean {
    if (!line.startsWith('|') || !line.endsWith('|')) return false;
    const cells = line.slice(1, -1).split('|');
    if (cells.length === 1) return this.#readProcess(cells[0] ?? '');
    if (cells.length === 4) return this.#readInstance(cells.map((cell) => cell.trim()));
    if (cells.length !== 3) return false;
    const [first = '', second = '', third = ''] = cells;
    if (this.#next === 'state') return this.#readState(first.trim(), second.trim(), third.trim());
    if (this.#next === 'mig' && first.trim() === '' && second.trim() === '') {
      return this.#readMig(third.trim());
    }
    return this.#readCard(first.trimEnd(), second.trim(), third.trim());
  }

  #readCard(first: string, second: string, third: string): boolean {
    const [, index, name, persistence] = CARD_NAME.exec(first) ?? [];
    const place = CARD_PLACE.exec(second);
    const ecc = /^(\d{1,15}|N\/A|ERR!|On|Off)$/.exec(third)?.[1];
    const isKept = index !== undefined && place !== null && ecc !== undefined;
    if (!isKept || this.#rows.length >= MAX_CARDS) return false;
    const row = new Map<string, QueryCell>();
    row.set('index', { kind: 'value', text: index, unit: null });
    set(row, 'name', name ?? '', { kind: 'text' });
    set(row, 'persistence_mode', persistenceOf(persistence ?? ''), { kind: 'text' });
    set(row, 'pci.bus_id', place[1] ?? '', { kind: 'text' });
    set(row, 'display_active', place[2] ?? '', { kind: 'text' });
    // Under MIG the cell says "On": errors are counted, and the count stands with the instances.
    set(row, 'ecc.errors.uncorrected.volatile.total', ecc, { kind: 'count' });
    this.#places.set(index, this.#rows.length);
    this.#rows.push(row);
    this.#next = 'state';
    return true;
  }

  #readState(first: string, second: string, third: string): boolean {
    this.#next = null;
    const row = this.#rows.at(-1);
    const [, fan = '', degrees = '', pstate = '', draw = '', cap = ''] =
      CARD_STATE.exec(first) ?? [];
    const memory = CARD_MEMORY.exec(second);
    const [, load = '', mode = ''] = CARD_LOAD.exec(third) ?? [];
    if (row === undefined || fan === '' || memory === null || load === '') return false;
    const [used, total] = memory[1] === undefined ? [second, second] : [memory[1], memory[2] ?? ''];
    const isRead = [
      set(row, 'fan.speed', fan, FAN),
      set(row, 'temperature.gpu', degrees, { kind: 'celsius' }),
      set(row, 'pstate', pstate, { kind: 'word', words: /^P\d{1,2}$/ }),
      set(row, 'power.draw', draw, WATTS),
      // The table shows the lowest of all limiters.
      set(row, 'enforced.power.limit', cap, WATTS),
      set(row, 'memory.used', used, MEMORY),
      set(row, 'memory.total', total, MEMORY),
      set(row, 'utilization.gpu', load, PERCENT),
      set(row, 'compute_mode', mode, { kind: 'text' }),
    ];
    this.#next = 'mig';
    return !isRead.includes(false);
  }

  #readMig(third: string): boolean {
    this.#next = null;
    const row = this.#rows.at(-1);
    const mode = CARD_MIG.exec(third)?.[1];
    if (row === undefined || mode === undefined) return false;
    return set(row, 'mig.mode.current', mode, { kind: 'text' });
  }

  #readInstance([first = '', second = '', third = '', fourth = '']: readonly string[]): boolean {
    const memory = MEMORY_PAIR.exec(second);
    if (first === '' && this.#isAfterInstance) {
      this.#isAfterInstance = false;
      return memory !== null && third === '' && fourth === '';
    }
    const [, gpu, gpuInstance, computeInstance, device] = INSTANCE.exec(first) ?? [];
    const figures = /^(\d{1,4}|N\/A) +(\d{1,15}|N\/A|ERR!)$/.exec(third);
    const card = this.#cardOf(gpu);
    const isFull = this.#instances.length >= MAX_PER_CARD;
    if (card === null || memory === null || figures === null || isFull) return false;
    this.#isAfterInstance = true;
    this.#instances.push({
      card,
      device: whole(device),
      gpuInstance: whole(gpuInstance),
      computeInstance: whole(computeInstance),
      profile: null,
      uuid: null,
      memoryUsedMiB: whole(memory[1]),
      memoryTotalMiB: whole(memory[2]),
      multiprocessors: whole(figures[1]),
    });
    return true;
  }

  #readProcess(cell: string): boolean {
    const [, gpu, gpuInstance, computeInstance, pid, type, name, memory] =
      PROCESS.exec(cell.trim()) ?? [];
    const card = this.#cardOf(gpu);
    if (card === null || this.#processes.length >= MAX_PER_CARD) return false;
    this.#processes.push({
      card,
      pid: whole(pid),
      type: type ?? null,
      name: name === undefined || name === '' || name === 'N/A' ? null : name,
      memoryMiB: whole(memory?.replace('MiB', '')),
      gpuInstance: whole(gpuInstance),
      computeInstance: whole(computeInstance),
    });
    return true;
  }

  /** The newest row of this card; a part of a card that the text does not show belongs to nothing. */
  #cardOf(index: string | undefined): number | null {
    if (index === undefined) return null;
    return this.#places.get(index) ?? null;
  }
}

/** False: a figure that cannot be. */
function set(row: Map<string, QueryCell>, field: string, text: string, kind: FieldKind): boolean {
  const cell = readCell(text, kind);
  if (cell !== null) row.set(field, cell);
  return cell !== null;
}

/** On Windows the driver's model stands in that column. */
function persistenceOf(word: string): string {
  if (word === 'On') return 'Enabled';
  return word === 'Off' ? 'Disabled' : word;
}

function whole(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
