import { describe, expect, it } from 'vitest';
import { isCardReportForm, parseCardReport } from './card-forms.ts';
import type { CardReport, MigInstance } from './card-report.ts';
import { cellOf, type QueryCell, type QueryRow } from './query.ts';
import { queryForm } from './query-form.ts';
import { parseReportText, parseReportXml } from './report.ts';
import { sample, sampleNames } from './sample.fixture.ts';
import { parseSmiList } from './smi-list.ts';
import { parseSmiTable } from './smi-table.ts';

interface Expected {
  readonly report?: {
    /** Chosen cells: "81559 MiB", "(N/A)" for a missing one, null for a field that is not there. */
    readonly rows: readonly Readonly<Record<string, string | null>>[];
    readonly instances: readonly Partial<MigInstance>[];
    readonly processes: readonly (readonly [pid: number, name: string, memoryMiB: number])[];
    readonly driverVersion: string | null;
    readonly cudaVersion: string | null;
    readonly attachedGpus: number | null;
    readonly unreadable: readonly string[];
  };
}

function read(text: string): CardReport {
  const form = queryForm(text);
  if (!isCardReportForm(form)) throw new Error(`read as ${form}`);
  return parseCardReport(form, text);
}

function words(cell: QueryCell): string | null {
  if (cell.kind === 'value') return cell.unit === null ? cell.text : `${cell.text} ${cell.unit}`;
  return cell.because === 'not asked for' ? null : `(${cell.because})`;
}

function chosen(row: QueryRow | undefined, fields: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    Object.keys(fields).map((field) => [field, words(cellOf(row ?? {}, field))]),
  );
}

const recorded = sampleNames('query-form').filter(
  (name) => sample<Expected>(name).expected.report !== undefined,
);

describe('recorded reports', () => {
  it.each(recorded)('reads %s', (name) => {
    const { text, expected } = sample<Expected>(name);
    const report = read(text);
    const told = expected.report;
    if (told === undefined) throw new Error(name);
    expect(report.rows).toHaveLength(told.rows.length);
    report.rows.forEach((row, i) => expect(chosen(row, told.rows[i] ?? {})).toEqual(told.rows[i]));
    expect(report.instances).toHaveLength(told.instances.length);
    expect(report.instances).toMatchObject(told.instances);
    const processes = report.processes.map((each) => [each.pid, each.name, each.memoryMiB]);
    expect(processes).toEqual(told.processes);
    const { driverVersion, cudaVersion, attachedGpus, unreadable } = report;
    expect({ driverVersion, cudaVersion, attachedGpus, unreadable }).toEqual({
      driverVersion: told.driverVersion,
      cudaVersion: told.cudaVersion,
      attachedGpus: told.attachedGpus,
      unreadable: told.unreadable,
    });
    expect(report.unreadableCount).toBe(told.unreadable.length);
  });

  it.each(recorded)('reads %s the same with Windows line ends', (name) => {
    const { text } = sample<Expected>(name);
    const { unreadable: _, ...report } = read(text.replaceAll('\n', '\r\n'));
    expect(read(text)).toMatchObject(report);
  });

  it.each(recorded)('reads %s twice in a row as two answers', (name) => {
    const { text } = sample<Expected>(name);
    const once = read(text);
    const twice = read(`${text}\n${text}`);
    // A part of a report has no beginning, so nothing says where the second one starts.
    if (!/NVSMI LOG|<\?xml|^\+|^[A-Z][a-z]{2} .* 20\d\d\s*$|^GPU 0:/m.test(text)) return;
    expect(twice.rows).toEqual([...once.rows, ...once.rows]);
    expect(twice.unreadableCount).toBe(2 * once.unreadableCount);
  });
});

const DETAILS = (lines: string, attached = 1) =>
  `\n==============NVSMI LOG==============\n\nDriver Version : 535.1\n\nAttached GPUs : ${attached}\nGPU 00000000:01:00.0\n${lines}`;

describe('-q as text', () => {
  it.each([
    ['a decimal comma', '    GPU Power Readings\n        Power Draw : 60,12 W\n', 'power.draw'],
    ['another unit', '    GPU Power Readings\n        Power Draw : 60.12 kW\n', 'power.draw'],
    ['a negative power', '    GPU Power Readings\n        Power Draw : -6.12 W\n', 'power.draw'],
    ['an absurd load', '    Utilization\n        GPU : 4294967295 %\n', 'utilization.gpu'],
    ['an absurd heat', '    Temperature\n        GPU Current Temp : 900 C\n', 'temperature.gpu'],
    ['two lines in one', '    Fan Speed : 30 %    Performance State : P0\n', 'fan.speed'],
    ['a colour', '    Fan Speed : \x1b[31m30 %\x1b[0m\n', 'fan.speed'],
    ['bytes of another encoding', '    Fan Speed : 30 \ufffd\n', 'fan.speed'],
    ['a half word', '    MIG Mode\n        Current : Enab\n', 'mig.mode.current'],
  ])('counts %s as unreadable and gives no figure', (_, lines, field) => {
    const { rows, unreadableCount } = parseReportText(DETAILS(lines));
    expect(unreadableCount).toBe(1);
    expect(words(cellOf(rows[0] ?? {}, field))).toBeNull();
  });

  it.each([
    ['[N/A]', 'N/A'],
    ['[Not Supported]', 'Not Supported'],
    ['Not Supported', 'Not Supported'],
    ['[Unknown Error]', 'Unknown Error'],
    ['Unknown Error', 'Unknown Error'],
    ['ERR!', 'ERR!'],
    ['GPU requires reset', 'GPU requires reset'],
    ['[GPU is lost]', 'GPU is lost'],
  ])('keeps %j as the tool’s word for why there is no figure', (text, because) => {
    const { rows, unreadableCount } = parseReportText(
      DETAILS(`    Temperature\n        GPU Current Temp : ${text}\n`),
    );
    expect(cellOf(rows[0] ?? {}, 'temperature.gpu')).toEqual({ kind: 'missing', because });
    expect(unreadableCount).toBe(0);
  });

  it('never takes the module’s power for the card’s', () => {
    const { rows } = parseReportText(
      DETAILS(
        '    GPU Power Readings\n        Power Draw : N/A\n    Module Power Readings\n        Power Draw : 900.00 W\n',
      ),
    );
    expect(words(cellOf(rows[0] ?? {}, 'power.draw'))).toBe('(N/A)');
  });

  it('takes a memory of a MIG device for the device’s, not for the card’s', () => {
    const part = (index: number, used: number): string =>
      `    MIG Device\n        Index : ${index}\n        GPU Instance ID : ${index + 3}\n        Compute Instance ID : 0\n        Device Attributes\n            Shared\n                Multiprocessor count : 14\n        FB Memory Usage\n            Total : 19968 MiB\n            Used : ${used} MiB\n`;
    const { rows, instances } = parseReportText(
      DETAILS(
        `    MIG Mode\n        Current : Enabled\n${part(0, 12)}${part(1, 700)}    FB Memory Usage\n        Total : 81920 MiB\n        Used : 712 MiB\n`,
      ),
    );
    expect(words(cellOf(rows[0] ?? {}, 'memory.used'))).toBe('712 MiB');
    expect(instances).toMatchObject([
      { card: 0, device: 0, gpuInstance: 3, memoryUsedMiB: 12, multiprocessors: 14 },
      { card: 0, device: 1, gpuInstance: 4, memoryUsedMiB: 700, memoryTotalMiB: 19968 },
    ]);
  });

  it('gives an index only where all cards are shown', () => {
    expect(words(cellOf(parseReportText(DETAILS('', 8)).rows[0] ?? {}, 'index'))).toBeNull();
    expect(words(cellOf(parseReportText(DETAILS('', 1)).rows[0] ?? {}, 'index'))).toBe('0');
  });

  it('reads the errors of an old card, and a sum only where every part is told', () => {
    const old = `    ECC Errors\n        Volatile\n            Single Bit\n                Device Memory : 3\n                Total : 4\n            Double Bit\n                Total : 1\n`;
    const { rows } = parseReportText(DETAILS(old));
    expect(chosen(rows[0], { 'ecc.errors.corrected.volatile.total': 0 })).toEqual({
      'ecc.errors.corrected.volatile.total': '4',
    });
    const half = `    ECC Errors\n        Volatile\n            SRAM Uncorrectable : N/A\n            DRAM Uncorrectable : 2\n`;
    const partly = parseReportText(DETAILS(half)).rows[0] ?? {};
    expect(words(cellOf(partly, 'ecc.errors.uncorrected.volatile.total'))).toBe('(N/A)');
  });

  it.each([
    ['Yes', 'No', 'GPU Reset'],
    ['No', 'Yes', 'Drain and Reset'],
    ['No', 'No', 'None'],
  ])('takes reset %s and drain %s for "%s"', (reset, drain, action) => {
    const lines = `    GPU Reset Status\n        Reset Required : ${reset}\n        Drain and Reset Recommended : ${drain}\n`;
    const { rows } = parseReportText(DETAILS(lines));
    expect(words(cellOf(rows[0] ?? {}, 'gpu_recovery_action'))).toBe(action);
  });

  it('keeps the other cards when one is lost', () => {
    const lost =
      'Unable to determine the device handle for GPU0000:05:00.0: GPU is lost.  Reboot the system to recover this GPU\n';
    const { rows, failures } = parseReportText(`${lost}${DETAILS('    Fan Speed : 30 %\n', 2)}`);
    expect(failures).toMatchObject([{ kind: 'gpu-lost', address: '0000:05:00.0' }]);
    expect(words(cellOf(rows[0] ?? {}, 'fan.speed'))).toBe('30 %');
  });

  it('does not believe a last count that may be cut, nor a value that is said twice', () => {
    const cut = parseReportText(DETAILS('    Retired Pages\n        Single Bit ECC : 17'));
    expect(cut.rows[0]?.['retired_pages.single_bit_ecc.count']).toBeUndefined();
    expect(cut.unreadableCount).toBe(1);
    const twice = parseReportText(DETAILS('    Fan Speed : 30 %\n    Fan Speed : 90 %\n'));
    expect(words(cellOf(twice.rows[0] ?? {}, 'fan.speed'))).toBe('30 %');
    expect(twice.unreadable).toEqual(['    Fan Speed : 90 %']);
  });

  it('calls words with nothing under them unreadable, not a title', () => {
    const { unreadable } = parseReportText(DETAILS('    Hello there\n    Fan Speed : 30 %\n'));
    expect(unreadable).toEqual(['    Hello there']);
  });
});

const XML = (inner: string) =>
  `<?xml version="1.0" ?>\n<!DOCTYPE nvidia_smi_log SYSTEM "nvsmi_device_v12.dtd">\n<nvidia_smi_log><attached_gpus>1</attached_gpus><gpu id="00000000:01:00.0">${inner}</gpu></nvidia_smi_log>\n`;

describe('-q as XML', () => {
  it('decodes the entities that need no declaration', () => {
    const { rows } = parseReportXml(XML('<product_name>A &amp; B &#65;&#x42;</product_name>'));
    expect(words(cellOf(rows[0] ?? {}, 'name'))).toBe('A & B AB');
  });

  it.each([
    ['an entity of its own', '<product_name>&boom;</product_name>'],
    ['an unknown entity without an end', '<product_name>&amp A</product_name>'],
    ['a control character', '<product_name>&#7;\u0007</product_name>'],
    ['a decimal comma', '<power_readings><power_draw>60,1 W</power_draw></power_readings>'],
    ['a tag closed by another', '<product_name>A</uuid>'],
    ['a tag that is never closed', '<product_name>A'],
    ['a text between elements', '<fan_speed>30 %</fan_speed>hello<pstate></pstate>'],
  ])('counts %s as unreadable', (_, inner) => {
    const { rows, unreadableCount } = parseReportXml(XML(inner));
    expect(unreadableCount).toBeGreaterThan(0);
    expect(rows[0]?.['name']?.kind).not.toBe('value');
    expect(rows[0]?.['power.draw']?.kind).not.toBe('value');
  });

  it.each([
    ['<!DOCTYPE nvidia_smi_log [<!ENTITY a "&b;&b;"><!ENTITY b "ha">]>'],
    ['<!DOCTYPE nvidia_smi_log [<!ENTITY a SYSTEM "file:///etc/passwd">]>'],
  ])('reads nothing of a document that declares entities: %s', (doctype) => {
    const text = XML('<product_name>&a;</product_name>').replace(/<!DOCTYPE[^>]*>/, doctype);
    const { rows, unreadableCount } = parseReportXml(text);
    expect(rows).toEqual([]);
    expect(unreadableCount).toBeGreaterThan(0);
  });

  it('keeps what was whole before a tear', () => {
    const whole = XML('<fan_speed>30 %</fan_speed><uuid>GPU-1</uuid>');
    const { rows, unreadableCount } = parseReportXml(whole.slice(0, whole.indexOf('GPU-1') + 3));
    expect(chosen(rows[0], { 'fan.speed': 0, uuid: 0 })).toEqual({
      'fan.speed': '30 %',
      uuid: null,
    });
    expect(unreadableCount).toBeGreaterThan(0);
  });

  it('does not follow endless depth, and looks into no endless tag', () => {
    const deep = parseReportXml(XML('<a>'.repeat(100_000)));
    expect(deep.unreadableCount).toBeGreaterThan(0);
    const long = parseReportXml(`<${'a'.repeat(10_000_000)}`);
    expect(long.unreadable[0]?.length ?? 0).toBeLessThan(250);
  });
});

describe('the table', () => {
  const FRAME =
    '+-----------------------------------------+------------------------+----------------------+';
  const card = (name: string, place: string, ecc: string, state: string) =>
    `${FRAME}\n| ${name} | ${place} | ${ecc} |\n${state}\n|                                         |                        |                  N/A |\n${FRAME}\n`;

  it('reads a board that has neither bus address nor memory of its own', () => {
    const { rows, unreadable } = parseSmiTable(
      card(
        '  0  Orin (nvgpu)                  N/A ',
        'N/A              N/A',
        '                 N/A',
        '| N/A   N/A  N/A               N/A /  N/A | Not Supported          |     N/A          N/A |',
      ),
    );
    expect(unreadable).toEqual([]);
    expect(chosen(rows[0], { index: 0, name: 0, 'memory.used': 0, 'pci.bus_id': 0 })).toEqual({
      index: '0',
      name: 'Orin (nvgpu)',
      'memory.used': '(Not Supported)',
      'pci.bus_id': '(N/A)',
    });
  });

  it('reads the two-row layout of old drivers and its processes', () => {
    const { rows, processes, unreadable } = parseSmiTable(
      [
        '|   0  Tesla V100-SXM2...  On   | 00000000:00:1E.0 Off |                    0 |',
        '| N/A   41C    P0    36W / 300W |    512MiB / 16130MiB |      3%      Default |',
        '+-------------------------------+----------------------+----------------------+',
        '| Processes:                                                       GPU Memory |',
        '|  GPU       PID   Type   Process name                             Usage      |',
        '|=============================================================================|',
        '|    0      4021      C   python                                       501MiB |',
        '+-----------------------------------------------------------------------------+',
        '',
      ].join('\n'),
    );
    expect(unreadable).toEqual([]);
    expect(chosen(rows[0], { 'power.draw': 0, 'mig.mode.current': 0 })).toEqual({
      'power.draw': '36 W',
      'mig.mode.current': null,
    });
    expect(processes).toMatchObject([{ pid: 4021, name: 'python', memoryMiB: 501, type: 'C' }]);
  });

  it.each([
    [
      'a state without its card',
      '| N/A   41C    P0    36W / 300W |    512MiB / 16130MiB |      3%      Default |',
    ],
    [
      'a process of no card',
      '|    7      4021      C   python                                       501MiB |',
    ],
    [
      'a MIG device of no card',
      '|  5    2   0   0  |           22MiB / 71424MiB    | 16      0 |  3   0    3    0    3 |',
    ],
    ['a torn row', '|   0  Tesla V100-SXM2...  On   | 00000000:00:1E.0 O'],
    ['prose', 'the GPU is fine'],
  ])('counts %s as unreadable', (_, line) => {
    expect(parseSmiTable(`${line}\n`)).toMatchObject({ rows: [], unreadableCount: 1 });
  });
});

describe('the list', () => {
  it('reads the old names of MIG devices, and a card that is lost', () => {
    const { rows, instances, failures } = parseSmiList(
      [
        'GPU 0: A100-SXM4-40GB (UUID: GPU-1)',
        '  MIG 1g.5gb Device 0: (UUID: MIG-GPU-1/7/0)',
        'Unable to determine the device handle for gpu 0000:05:00.0: Unknown Error',
        'GPU 2: A100-SXM4-40GB (UUID: GPU-3)',
        '  MIG 1g.5gb+me Device 0: (UUID: MIG-9)',
        '',
      ].join('\n'),
    );
    expect(rows).toHaveLength(2);
    expect(instances).toMatchObject([
      { card: 0, profile: '1g.5gb', gpuInstance: 7, computeInstance: 0 },
      { card: 1, profile: '1g.5gb+me', gpuInstance: null },
    ]);
    expect(failures).toMatchObject([{ kind: 'gpu-lost' }]);
  });
});
