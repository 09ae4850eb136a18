import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { gpuModelNames } from '../../shared/demo/gpu-models.ts';
import { parseDf } from '../../shared/probes/df.ts';
import { parseDmon } from '../../shared/probes/dmon.ts';
import { samplePath } from '../../shared/probes/sample.fixture.ts';
import { TOOLS_FOLDER } from './demo-box.fixture.ts';
import {
  ToolBench,
  toolShells,
  whyNot,
  type ToolOutcome,
  type ToolShell,
} from './tools.fixture.ts';

const benches: ToolBench[] = [];
afterEach(async () => {
  for (const bench of benches.splice(0)) await bench.close();
});

async function openBench(...args: Parameters<typeof ToolBench.open>): Promise<ToolBench> {
  const bench = await ToolBench.open(...args);
  benches.push(bench);
  return bench;
}

function recorded(name: string): string[] {
  return readFileSync(samplePath(name), 'utf8').split('\n');
}

/** What is left of a line when every figure is a 9 and every name an x: its shape. */
function shape(line: string): string {
  return line.replace(/\d/g, '9').replace(/9+(?=\D|$)/g, (digits) => '#'.repeat(digits.length));
}

function lines({ stdout }: ToolOutcome): string[] {
  return stdout.split('\n').slice(0, -1);
}

describe.each(toolShells)('nvidia-smi under $name', (shell) => {
  beforeEach(({ skip }) => skip(whyNot(shell) !== null, whyNot(shell) ?? ''));
  const smi = (bench: ToolBench, ...args: string[]): ToolOutcome =>
    bench.run(shell, 'nvidia-smi', ...args);

  describe('dmon', () => {
    it('has the recorded header, column for column, and rows that end where the header does', async () => {
      const bench = await openBench('H100-80GB-HBM3', 1);
      await bench.train();
      const output = lines(smi(bench, 'dmon', '-s', 'puc', '-c', '1'));
      const [names, units, row] = recorded('dmon--h100-590-load');
      expect(output.slice(0, 2)).toEqual([names, units]);
      expect(output[2]?.length).toBe(row?.length);
      expect(cellEnds(output[2])).toEqual(cellEnds(row));
      expect(lines(smi(bench, 'dmon', '-c', '1')).slice(0, 2)).toEqual([names, units]);
    });

    it('adds fb, bar1 and ccpm as recorded', async () => {
      const bench = await openBench('H100-80GB-HBM3', 1);
      const output = lines(smi(bench, 'dmon', '-s', 'pucm', '-c', '1'));
      const [names, units, row] = recorded('dmon--h100-pucm-ccpm');
      expect(output.slice(0, 2)).toEqual([names, units]);
      expect(cellEnds(output[2])).toEqual(cellEnds(row));
    });

    it('prints groups in the order of the letters', async () => {
      const bench = await openBench('L40S', 1);
      const [names, units] = lines(smi(bench, 'dmon', '-s', 'tevmcup', '-c', '1'));
      expect(names?.trim().split(/\s+/).join(' ')).toBe(
        '# gpu rxpci txpci sbecc dbecc pci pviol tviol fb bar1 ccpm mclk pclk sm mem enc dec jpg ofa pwr gtemp mtemp',
      );
      expect(units?.trim().split(/\s+/).join(' ')).toBe(
        '# Idx MB/s MB/s errs errs errs % bool MB MB MB MHz MHz % % % % % % W C C',
      );
    });

    it('puts date and time in front as recorded, without a blank after #', async () => {
      const bench = await openBench('Tesla-T4', 1);
      const [names, units, row] = lines(smi(bench, 'dmon', '-s', 'p', '-c', '1', '-o', 'DT'));
      const [oldNames, oldUnits, oldRow] = recorded('dmon--date-time-pucet');
      expect(names?.slice(0, 27)).toBe(oldNames?.slice(0, 27));
      expect(units?.slice(0, 27)).toBe(oldUnits?.slice(0, 27));
      expect(shape(row?.slice(0, 27) ?? '')).toBe(shape(oldRow?.slice(0, 27) ?? ''));
      const [timeNames, timeUnits] = lines(smi(bench, 'dmon', '-s', 'p', '-c', '1', '-o', 'T'));
      expect(timeNames).toMatch(/^#Time +gpu +pwr/);
      expect(timeUnits).toMatch(/^#HH:MM:SS +Idx +W/);
    });

    it('says "-" for what a card lacks', async () => {
      const geforce = await openBench('GeForce-RTX-4090', 1);
      const [names, , row] = lines(smi(geforce, 'dmon', '-s', 'pe', '-c', '1'));
      const cells = new Map(
        names
          ?.slice(2)
          .trim()
          .split(/\s+/)
          .map((name, place) => [name, row?.trim().split(/\s+/)[place]]),
      );
      expect([
        cells.get('mtemp'),
        cells.get('sbecc'),
        cells.get('dbecc'),
        cells.get('pci'),
      ]).toEqual(['-', '-', '-', '0']);
    });

    it('shows the picked cards only, by index, UUID or address', async () => {
      const bench = await openBench('H200', 8);
      const list = lines(smi(bench, '-L'));
      const uuid = /GPU-[0-9a-f-]+/.exec(list[5] ?? '')?.[0] ?? '';
      const indices = (output: ToolOutcome): string[] =>
        lines(output)
          .slice(2)
          .map((row) => row.trim().split(/\s+/)[0] ?? '');
      expect(indices(smi(bench, 'dmon', '-c', '1'))).toEqual([
        '0',
        '1',
        '2',
        '3',
        '4',
        '5',
        '6',
        '7',
      ]);
      expect(indices(smi(bench, 'dmon', '-c', '1', '-i', `6,2,${uuid}`))).toEqual(['2', '5', '6']);
      expect(indices(smi(bench, 'dmon', '-c', '1', '-i', '0000:3b:00.0'))).toEqual(['1']);
    });

    it('ends after the asked cycles with 0', async () => {
      const bench = await openBench('L40S', 2);
      const outcome = smi(bench, 'dmon', '-s', 'u', '-c', '2');
      expect(outcome.code).toBe(0);
      expect(lines(outcome)).toHaveLength(2 + 2 * 2);
    });

    it.each(gpuModelNames)(
      'is read by our own reader without a line left over: %s',
      async (model) => {
        const bench = await openBench(model, 8);
        await bench.train();
        const { readings, unreadable, failures } = parseDmon(
          smi(bench, 'dmon', '-s', 'pucvmet', '-c', '1').stdout,
        );
        expect([unreadable, failures]).toEqual([[], []]);
        expect(readings.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
        for (const reading of readings) expect(reading.smPct).toBeGreaterThan(40);
      },
    );

    it.each([['-s', 'px'], ['-d', '0'], ['-d', '11'], ['-c', 'two'], ['-o', 'X'], ['--bogus']])(
      'refuses %s %s with exit 2',
      async (...args) => {
        const bench = await openBench('L40S', 1);
        expect(smi(bench, 'dmon', ...args).code).toBe(2);
      },
    );
  });

  describe('pmon', () => {
    it('has the recorded form, busy and idle', async () => {
      const bench = await openBench('L40S', 1);
      const idle = lines(smi(bench, 'pmon', '-c', '1'));
      expect(idle).toEqual(recorded('query-form--l40s-595-pmon-no-process').slice(0, 3));
      await bench.train();
      const [, , row] = lines(smi(bench, 'pmon', '-c', '1'));
      expect(row).toMatch(/^ {4}0 {7}4321 {5}C +\d+ +\d+ {6}- {6}- {6}- {6}- {4}train\.sh {7}$/);
    });
  });

  describe('the table', () => {
    it('has the recorded frame around cells of the recorded width', async () => {
      const bench = await openBench('H200', 1);
      const output = lines(smi(bench));
      // The recording has MIG on; header, cell widths and the process table's head are the same.
      const sample = recorded('query-form--h200-mig-590-table-idle');
      expect(output[0]).toBe('Tue Jul 14 08:12:53 2026       ');
      expect(output.slice(1, 8)).toEqual(sample.slice(1, 8));
      expect(output[11]).toBe(sample[11]);
      const bars = (line: string | undefined): number[] =>
        [...(line ?? '').matchAll(/\|/g)].map(({ index }) => index);
      for (const row of [8, 9, 10]) expect(bars(output[row])).toEqual(bars(sample[row]));
      expect(output[8]).toMatch(/^\| {3}0 {2}NVIDIA H200 {20}On {2}\| {3}00000000:19:00\.0 Off \|/);
      const processes = sample.indexOf('| Processes:' + ' '.repeat(78) + '|');
      expect(output.slice(13)).toEqual(sample.slice(processes - 1).slice(0, output.length - 13));
    });

    it('cuts a long name and lists processes as recorded', async () => {
      const bench = await openBench('GeForce-RTX-4090', 1);
      await bench.train();
      const output = lines(smi(bench));
      const sample = recorded('query-form--rtx4080s-595-table-load');
      expect(output[8]).toContain('NVIDIA GeForce RTX 4090 ');
      const row = output.find((line) => line.includes('train.sh')) ?? '';
      const ffmpeg = sample.find((line) => line.includes('ffmpeg')) ?? '';
      expect(row.length).toBe(ffmpeg.length);
      expect(row.slice(0, 42)).toBe(ffmpeg.slice(0, 42).replace('5021', '4321'));
      expect(output.every((line, place) => place === 0 || line === '' || line.length === 91)).toBe(
        true,
      );
    });
  });

  describe('queries', () => {
    it('knows every recorded field, with the recorded header', async () => {
      const bench = await openBench('H100-80GB-HBM3', 1);
      await bench.train();
      const [header = '', row = ''] = recorded('query--h100-590-csv-load');
      const fields = header.split(', ').map((cell) => cell.replace(/ \[.*\]$/, ''));
      const output = lines(smi(bench, `--query-gpu=${fields.join(',')}`, '--format=csv'));
      expect(output[0]).toBe(header);
      const cells = (output[1] ?? '').split(', ');
      const theirs = row.split(', ');
      expect(cells).toHaveLength(theirs.length);
      // A cell has its unit, or the recorded words for "none", exactly where the recording has them.
      const unit = (cell: string): string => /^[\d.]+ (\S+)$/.exec(cell)?.[1] ?? '';
      const differing = fields.filter(
        (_, place) => unit(cells[place] ?? '') !== unit(theirs[place] ?? ''),
      );
      expect(differing).toEqual([]);
    });

    it('leaves out header and units as asked', async () => {
      const bench = await openBench('L40S', 2);
      const ask = '--query-gpu=index,name,memory.total,power.limit';
      expect(lines(smi(bench, ask, '--format=csv'))).toEqual([
        'index, name, memory.total [MiB], power.limit [W]',
        '0, NVIDIA L40S, 46068 MiB, 350.00 W',
        '1, NVIDIA L40S, 46068 MiB, 350.00 W',
      ]);
      expect(lines(smi(bench, ask, '--format=csv,noheader,nounits', '-i', '1'))).toEqual([
        '1, NVIDIA L40S, 46068, 350.00',
      ]);
    });

    it('writes what a card lacks in the recorded words', async () => {
      const bench = await openBench('GeForce-RTX-3090', 1);
      const ask =
        '--query-gpu=temperature.memory,ecc.mode.current,ecc.errors.corrected.volatile.total,remapped_rows.pending,clocks.applications.graphics,fabric.state';
      expect(lines(smi(bench, ask, '--format=csv,noheader'))).toEqual([
        'N/A, [N/A], [N/A], [N/A], [Requested functionality has been deprecated], N/A',
      ]);
    });

    it('names an unknown field and fails with 2', async () => {
      const bench = await openBench('L40S', 1);
      const outcome = smi(bench, '--query-gpu=index,xyz', '--format=csv');
      expect([outcome.stdout.trim(), outcome.code]).toEqual([
        'Field "xyz" is not a valid field to query.',
        2,
      ]);
    });

    it('takes the names of before R535', async () => {
      const bench = await openBench('L40S', 1);
      const [header, row] = lines(
        smi(bench, '--query-gpu=clocks_throttle_reasons.active', '--format=csv'),
      );
      expect([header, row]).toEqual(['clocks_throttle_reasons.active', '0x0000000000000001']);
    });

    it('lists compute processes as recorded', async () => {
      const bench = await openBench('H100-80GB-HBM3', 2);
      await bench.train();
      const [header = ''] = recorded('query--h100-590-compute-apps-load');
      const fields = header.replace(' [MiB]', '').replaceAll(', ', ',');
      const output = lines(smi(bench, `--query-compute-apps=${fields}`, '--format=csv'));
      expect(output[0]).toBe(header);
      expect(output).toHaveLength(3);
      expect(output[2]).toMatch(
        /^2026\/07\/14 08:12:53\.353, NVIDIA H100 80GB HBM3, 00000000:3B:00\.0, \d{13}, GPU-[0-9a-f-]{36}, 4321, \.\/train\.sh, \d+ MiB$/,
      );
    });
  });

  describe('-q', () => {
    it('has every recorded line in its place, values aside', async () => {
      const bench = await openBench('H100-80GB-HBM3', 1);
      await bench.train();
      const keys = (line: string): string => line.replace(/ : .*/, ' :').replace(/^GPU .*/, 'GPU');
      const sample = recorded('query-form--h100-590-q-load').map(keys);
      const first = sample.indexOf('    Processes') + 1;
      // The recording lists three processes, the demo one.
      const expected = [...sample.slice(0, first + 6), ...sample.slice(first + 18)];
      const output = lines(smi(bench, '-q')).map(keys);
      expect(output.slice(0, expected.length)).toEqual(expected);
    });

    it('shows the asked sections only', async () => {
      const bench = await openBench('Tesla-T4', 1);
      await bench.train();
      const { stdout } = smi(bench, '-q', '-d', 'TEMPERATURE,PERFORMANCE');
      expect(stdout).toContain('        GPU Slowdown Temp                              : 93 C\n');
      expect(stdout).toContain('        SW Power Cap                                   : Active\n');
      expect(stdout).not.toContain('FB Memory Usage');
    });
  });

  describe('a lost card', () => {
    const message =
      'Unable to determine the device handle for GPU 0000:19:00.0: GPU is lost.  Reboot the system to recover this GPU';

    it.each([
      [['-L']],
      [['-q']],
      [[]],
      [['dmon', '-c', '1']],
      [['--query-gpu=index', '--format=csv']],
    ])('alone: nvidia-smi %j prints the recorded words and exits 15', async (args) => {
      const [sample] = recorded('query--error-gpu-lost');
      expect(message.replace('0000:19', '0000:05')).toBe(sample);
      const bench = await openBench('L40S', 1);
      await bench.advance(1, { isLastGpuLost: true });
      expect(smi(bench, ...args)).toEqual({ stdout: `${message}\n`, stderr: '', code: 15 });
    });

    it('beside others: they are still listed', async () => {
      const bench = await openBench('L40S', 3);
      await bench.advance(1, { isLastGpuLost: true });
      const outcome = smi(bench, '--query-gpu=index', '--format=csv,noheader');
      expect(lines(outcome)).toEqual([message.replace('0000:19', '0000:4c'), '0', '1']);
      expect(outcome.code).toBe(15);
    });
  });

  it('says that there is no driver, or no card, with the exit codes for that', async () => {
    const bench = await openBench('L40S', 1);
    await writeFile(join(bench.folders.sys, 'gpus.tsv'), '');
    expect(smi(bench, '-L')).toMatchObject({ stdout: 'No devices were found\n', code: 6 });
    await rm(join(bench.folders.sys, 'gpus.tsv'));
    const outcome = smi(bench, 'dmon');
    expect(outcome.stdout).toMatch(
      /^NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver\. /,
    );
    expect(outcome.code).toBe(9);
  });
});

describe.each(toolShells)('the kernel log under $name', (shell) => {
  beforeEach(({ skip }) => skip(whyNot(shell) !== null, whyNot(shell) ?? ''));
  let bench: ToolBench;
  const stored = [
    '12.345678',
    'kern',
    'err',
    'Sun Feb 23 16:24:18 2025',
    '2025-02-23T16:24:18,283302+01:00',
    'Feb 23 16:24:18',
    'NVRM: something',
  ];
  const other = [
    '1.000000',
    'kern',
    'info',
    'Sun Feb 23 16:24:07 2025',
    '2025-02-23T16:24:07,000000+01:00',
    'Feb 23 16:24:07',
    'Linux version',
  ];
  beforeAll(async () => {
    bench = await ToolBench.open('L40S', 1);
    await bench.writeKernelLog(`${other.join('\t')}\n${stored.join('\t')}\n`);
  });
  afterAll(() => bench.close());

  it.each<[string, string[]]>([
    ['[   12.345678] NVRM: something', []],
    ['[Sun Feb 23 16:24:18 2025] NVRM: something', ['-T']],
    [
      'kern  :err   : 2025-02-23T16:24:18,283302+01:00 NVRM: something',
      ['-x', '--time-format', 'iso'],
    ],
    [
      'kern  :err   : 2025-02-23T16:24:18,283302+01:00 NVRM: something',
      ['--decode', '--time-format=iso'],
    ],
    ['NVRM: something', ['-t', '-l', 'err,warn']],
  ])('dmesg prints "%s" for %j', (expected, args) => {
    const outcome = bench.run(shell, 'dmesg', ...args);
    expect([lines(outcome).at(-1), outcome.code]).toEqual([expected, 0]);
  });

  it('journalctl -k prints the journal’s form', () => {
    const outcome = bench.run(shell, 'journalctl', '-k', '-b', '--no-pager');
    expect(lines(outcome)).toEqual([
      'Feb 23 16:24:07 demo kernel: Linux version',
      'Feb 23 16:24:18 demo kernel: NVRM: something',
    ]);
  });

  it('refuses what it does not simulate', () => {
    expect(bench.run(shell, 'dmesg', '-H').code).toBe(1);
    expect(bench.run(shell, 'journalctl').code).toBe(1);
  });
});

describe.each(toolShells)('fuser under $name', (shell) => {
  beforeEach(({ skip }) => skip(whyNot(shell) !== null, whyNot(shell) ?? ''));
  it('shows who holds the cards: pids on stdout, the recorded table on stderr', async () => {
    const bench = await openBench('L40S', 1);
    expect(bench.run(shell, 'fuser', '-v', '/dev/nvidia*')).toEqual({
      stdout: '',
      stderr: '',
      code: 1,
    });
    await bench.train();
    const { stdout, stderr, code } = bench.run(shell, 'fuser', '-v', '/dev/nvidia*');
    expect(stdout.trim().split(/\s+/)).toEqual(['4321', '4321', '4321']);
    const [head, row] = stderr.split('\n');
    expect(head).toBe('                     USER        PID ACCESS COMMAND');
    expect(row).toMatch(/^\/dev\/nvidia0: {8}\w+ +F\.\.\.m train\.sh$/);
    expect(code).toBe(0);
  });
});

describe.each(toolShells)('df under $name', (shell) => {
  beforeEach(({ skip }) => skip(whyNot(shell) !== null, whyNot(shell) ?? ''));
  it.each([
    ['disk-full', '-Pk', 'usedPct'],
    ['inodes-full', '-Pi', 'usedPct'],
  ])(
    'with %s, df %s shows the home’s file system full and nothing else changed',
    async (fault, option) => {
      const bench = await openBench('L40S', 1);
      const before = lines(bench.run(shell, 'df', option));
      await writeFile(join(bench.folders.faults, fault), '');
      const after = lines(bench.run(shell, 'df', option));
      const changed = after.filter((line, place) => line !== before[place] && / 100% /.test(line));
      const mount = homeMount(shell, bench);
      expect(changed.map((line) => line.split('% ')[1])).toEqual([mount]);
      const row = parseDf(`${after.join('\n')}\n`).rows.find((usage) => usage.mount === mount);
      expect(fault === 'disk-full' ? row?.usedPct : row?.inodesUsedPct).toBe(100);
    },
  );
});

it('is clean under shellcheck', ({ skip }) => {
  const scripts = ['bin', 'lib', 'train', '.'].flatMap((folder) =>
    readdirSync(join(TOOLS_FOLDER, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => join(TOOLS_FOLDER, folder, name))
      .filter((path) => readFileSync(path, 'utf8').startsWith('#!/bin/sh')),
  );
  expect(scripts).toHaveLength(11);
  const { stdout, status, error } = spawnSync('shellcheck', scripts, { encoding: 'utf8' });
  skip(error !== undefined, 'shellcheck is not installed');
  expect([stdout, status]).toEqual(['', 0]);
});

function homeMount(shell: ToolShell, bench: ToolBench): string | undefined {
  return lines(bench.run(shell, 'df', '-P', bench.folders.home))
    .at(-1)
    ?.split('% ')[1];
}

/** Where each cell of a row ends: the columns of a right-aligned table. */
function cellEnds(row: string | undefined): number[] {
  return [...(row ?? '').matchAll(/\S+/g)].map(({ index, 0: cell }) => index + cell.length);
}
