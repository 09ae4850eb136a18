import { describe, expect, it } from 'vitest';
import { cut, damaged, noise, randomText, sample, sampleNames } from './sample.fixture.ts';
import { parseKernelLog, XidReader, type KernelGpuEvent, type KernelLogOutput } from './xid.ts';

interface Expected {
  /** Every event in order: an Xid by its number, others by kind. */
  readonly codes: readonly (number | string)[];
  readonly rows: Readonly<Record<string, Partial<KernelGpuEvent>>>;
  readonly uuids: Readonly<Record<string, string>>;
  readonly unreadable: readonly string[];
  readonly outcome: unknown;
}

const names = sampleNames('xid');

function codeOf(event: KernelGpuEvent): number | string {
  if (event.kind === 'xid') return event.code;
  return event.kind === 'sxid' ? `sxid ${event.code}` : event.kind;
}

function only(line: string): KernelGpuEvent | undefined {
  const { rows } = parseKernelLog(line);
  expect(rows).toHaveLength(1);
  return rows[0];
}

function readInPieces(pieces: readonly string[]): KernelLogOutput {
  const reader = new XidReader();
  for (const piece of pieces) reader.push(piece);
  return reader.end();
}

describe('recorded logs', () => {
  it.each(names)('reads %s', (name) => {
    const { text, expected } = sample<Expected>(name);
    const { rows, rowCount, uuids, unreadable, unreadableCount, outcome } = parseKernelLog(text);
    expect(rows.map(codeOf)).toEqual(expected.codes);
    expect(rowCount).toBe(expected.codes.length);
    for (const [index, row] of Object.entries(expected.rows)) {
      expect(rows[Number(index)]).toMatchObject(row);
    }
    for (const { line } of rows) expect(text).toContain(line);
    expect(uuids).toEqual(expected.uuids);
    expect(unreadable).toEqual(expected.unreadable);
    expect(unreadableCount).toBe(expected.unreadable.length);
    expect(outcome).toEqual(expected.outcome);
  });

  it.each(names)('reads %s the same in pieces and with Windows line ends', (name) => {
    const { text } = sample<Expected>(name);
    const whole = parseKernelLog(text);
    for (let size = 1; size <= Math.min(text.length, 400); size += 1) {
      expect(readInPieces(cut(text, size))).toEqual(whole);
    }
    // A loss that is told in three lines keeps its line ends as a clue: they are newlines in both forms.
    expect(parseKernelLog(text.replaceAll('\n', '\r\n'))).toEqual(whole);
    expect(parseKernelLog(text.trimEnd())).toEqual(whole);
  });
});

describe('line shapes', () => {
  it('reads MIG instances', () => {
    const line =
      'NVRM: Xid (PCI:0000:3b:00 GPU-I:02 GPU-CI:01): 94, pid=1234, Contained: SM (0x1). RST: No';
    expect(only(line)).toMatchObject({
      code: 94,
      gpuInstance: '02',
      computeInstance: '01',
      pid: 1234,
      processName: null,
      text: 'Contained: SM (0x1). RST: No',
    });
  });

  it.each([
    ['PCI:0000:3B:00', '0000:3b:00'],
    ['PCI:0000:3b:00.0', '0000:3b:00'],
    ['PCI:00000000:3b:00', '0000:3b:00'],
    ['PCI:00010008:01:00', '10008:01:00'],
  ])('writes the address %s as %s', (printed, address) => {
    expect(only(`NVRM: Xid (${printed}): 79, GPU has fallen off the bus.`)).toMatchObject({
      address,
    });
  });

  it.each([
    ['name=python, text, more', 'python', 'text, more'],
    ['name=ray::IDLE worker, Ch 1', 'ray::IDLE worker', 'Ch 1'],
    ['name=a,b.c, Ch 1', 'a,b.c', 'Ch 1'],
    ['name=python,Ch 1', 'python', 'Ch 1'],
    ['name=python', 'python', ''],
    ['name=<unknown>,  Ch 1', null, 'Ch 1'],
    ['name=, Ch 1', null, 'Ch 1'],
  ])('reads %j', (rest, processName, text) => {
    expect(only(`NVRM: Xid (PCI:0000:3b:00): 31, pid=7,  ${rest}`)).toMatchObject({
      pid: 7,
      processName,
      text,
    });
  });

  it.each([
    ['[  +6.010643] ', '+6.010643', null],
    ['[   12.5] ', '12.5', 12.5],
    ['2025-01-21T04:41:44.283302+0100 host kernel: ', '2025-01-21T04:41:44.283302+0100', null],
    ['Sep  9 12:24:31 host kernel: [  77.000001] ', '77.000001', 77.000001],
    ['<3>[   77.000001] ', '77.000001', 77.000001],
    ['3,1289,77000001,-;', '77000001', 77.000001],
    ['10月 09 12:24:31 host kernel: ', null, null],
    ['', null, null],
  ])('reads the time before the message in %j', (prefix, prefixTime, uptimeS) => {
    const event = only(`${prefix}NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus.`);
    expect(event).toMatchObject({ prefixTime, uptimeS });
  });

  it('reads lines that dmesg has coloured, whose colours stand inside of the words', () => {
    const log =
      '\x1b[32m[    0.000000] \x1b[0m\x1b[33mLinux\x1b[0m version\n' +
      '\x1b[32m[   77.000001] \x1b[0m\x1b[33mNVRM: \x1b[0m\x1b[31mXid (PCI:0000:3b:00): 79, GPU has fallen off the bus.\x1b[0m\n';
    expect(parseKernelLog(log)).toMatchObject({
      unreadableCount: 0,
      rows: [{ code: 79, uptimeS: 77.000001, line: expect.not.stringContaining('\x1b') as string }],
    });
    const calm = log.replace(/NVRM.*/, 'nothing of it');
    expect(parseKernelLog(calm).outcome).toEqual({ kind: 'clear' });
  });

  it.each([
    ['dmesg: 读取内核缓冲区失败: 不允许的操作', 'the kernel log is closed to this user'],
    ['dmesg: klogctl: Operation not permitted', 'the kernel log is closed to this user'],
    [
      'No journal files were opened due to insufficient permissions.',
      'the kernel log is closed to this user',
    ],
    ['-- No entries --', 'the log is empty'],
    [
      '-- Logs begin at Tue 2026-07-14 --\n[  900.0] host kernel: a',
      'the log begins 900 s after the boot; what came before is gone',
    ],
  ])('does not call %j silence', (log, because) => {
    expect(parseKernelLog(log)).toMatchObject({
      rows: [],
      outcome: { kind: 'cannot-rule-out', because },
    });
  });

  it('knows a journal that reaches back to the boot, whatever it says about itself first', () => {
    const log =
      '-- Logs begin at Tue 2026-07-14 08:12:53 UTC, end at Tue 2026-07-14 09:00:00 UTC. --\n[    0.000000] host kernel: Linux version\n';
    expect(parseKernelLog(log).outcome).toEqual({ kind: 'clear' });
  });

  it.each([
    ['0x5 (Recover IMEX)', 'recover-imex', 'contact'],
    ['0x0 (None)', 'none', 'info'],
    ['0x3 (Drain P2P)', 'drain-p2p', 'contact'],
    ['0x2 (Node Reboot Required)', 'node-reboot', 're-rent'],
    ['0x9 (Something New)', 'unknown', 'unknown'],
  ])('takes the target of a recovery action by number: %s', (target, recoveryTo, xidClass) => {
    const line = `NVRM: Xid (PCI:0000:3b:00): 154, GPU recovery action changed from 0x1 (GPU Reset Required) to ${target}`;
    expect(only(line)).toMatchObject({ recoveryFrom: 'gpu-reset', recoveryTo, class: xidClass });
  });

  it('reads a loss without an address', () => {
    expect(only('NVRM: GPU has fallen off the bus.')).toMatchObject({
      kind: 'loss',
      address: null,
    });
    expect(only('NVRM: fallen off the bus and is not responding to commands.')).toMatchObject({
      kind: 'loss',
      address: null,
    });
  });

  it('joins a loss in three lines across other lines', () => {
    const { rows } = parseKernelLog(
      [
        '[ 1.5] NVRM: The NVIDIA GPU 0000:18:00.0',
        '[ 1.5] usb 1-1: new device',
        '[ 1.5] NVRM: (PCI ID: 10de:2901) installed in this system has',
        '[ 1.5] NVRM: fallen off the bus and is not responding to commands.',
        '[ 1.6] NVRM: fallen off the bus and is not responding to commands.',
      ].join('\n'),
    );
    expect(rows.map((row) => 'address' in row && row.address)).toEqual(['0000:18:00', null]);
    expect(rows[0]?.line.split('\n')).toHaveLength(3);
    expect(rows[0]).toMatchObject({ uptimeS: 1.5 });
  });

  it.each([
    ['Fatal, Link 1', true],
    ['Non-fatal, Link 1', false],
    ['Data {0x1}', null],
  ])('tells whether an SXid is fatal: %s', (text, isFatal) => {
    expect(only(`nvidia-nvswitch0: SXid (PCI:0000:05:00.0): 20034, ${text}`)).toMatchObject({
      kind: 'sxid',
      isFatal,
    });
  });

  it.each([
    'NVRM: Xid (PCI:zz): 79, GPU has fallen off the bus.',
    'NVRM: Xid (PCI:0000:3b:00): none',
    'nvidia-nvswitch0: SXid (somewhere): 1, Fatal',
    `NVRM: Xid (PCI:0000:3b:00): 79, ${'x'.repeat(5000)}`,
    'x'.repeat(100_000),
  ])('names a line that it should have understood: %.60s', (line) => {
    const { rows, unreadableCount, outcome } = parseKernelLog(`[ 0.1] boot\n${line}\n`);
    expect(rows).toEqual([]);
    expect(unreadableCount).toBe(1);
    expect(outcome).toEqual({ kind: 'cannot-rule-out', because: 'some lines could not be read' });
  });
});

describe('outcome', () => {
  it.each([
    ['a log from the boot on', '[    0.000000] Linux version 6.8\n[ 900.1] usb 1-1: x\n', null],
    ['a decoded one', 'kern  :notice: [    0.000000] Linux version 6.8\n', null],
    ['an empty log', '', 'the log is empty'],
    ['blank lines', '\n\n', 'the log is empty'],
    [
      'a ring buffer that lost its beginning',
      '[ 7200.5] usb 1-1: x\n',
      'the log begins 7201 s after the boot; what came before is gone',
    ],
    [
      'wall-clock times only',
      '[Sun Feb 23 16:24:18 2025] usb 1-1: x\n',
      'the log does not say whether it reaches back to the boot',
    ],
    [
      'a refused dmesg',
      'dmesg: read kernel buffer failed: Operation not permitted\n',
      'the kernel log is closed to this user',
    ],
  ])('judges %s', (_, text, because) => {
    expect(parseKernelLog(text).outcome).toEqual(
      because === null ? { kind: 'clear' } : { kind: 'cannot-rule-out', because },
    );
  });
});

it('keeps the first events of a storm and counts them all', () => {
  const reader = new XidReader();
  const line = 'NVRM: Xid (PCI:0000:3b:00): 31, pid=1, name=python, Ch 1\n';
  for (let block = 0; block < 11; block += 1) reader.push(line.repeat(1000));
  const { rows, rowCount } = reader.end();
  expect(rowCount).toBe(11_000);
  expect(rows).toHaveLength(10_000);
});

it('reads noise and damaged logs without throwing', () => {
  const random = noise(4);
  for (const name of names) {
    for (let round = 0; round < 20; round += 1) {
      parseKernelLog(damaged(sample(name).text, random));
      expect(parseKernelLog(randomText(3000, random)).rows).toEqual([]);
    }
  }
});
