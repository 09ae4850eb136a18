import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { parseCgroup, type CgroupFile } from '../../shared/probes/cgroup.ts';
import { judgeDf } from '../../shared/patrol/detectors/judge-df.ts';
import { parseDf } from '../../shared/probes/df.ts';
import { parseDmon } from '../../shared/probes/dmon.ts';
import { parseQuery } from '../../shared/probes/query.ts';
import { sample, samplePath, sampleNames } from '../../shared/probes/sample.fixture.ts';
import { parseKernelLog } from '../../shared/probes/xid.ts';
import { run, type Ran } from './cli.fixture.ts';

const text = (name: string): Promise<string> => readFile(samplePath(name), 'utf8');

/** The same text as a file and through stdin, for people and as JSON: the exit code must agree. */
async function readAllWays(probe: string, name: string): Promise<Ran & { json: unknown }> {
  const argv = ['read', probe];
  const people = await run([...argv, samplePath(name)]);
  const json = await run([...argv, '--json', samplePath(name)]);
  const piped = await run([...argv, '-', '--json'], { stdin: [await text(name)] });
  expect([json.code, piped.code]).toEqual([people.code, people.code]);
  expect(json.err + people.err).toBe('');
  const parsed: unknown = JSON.parse(json.out);
  expect(JSON.parse(piped.out)).toEqual(parsed);
  return { ...people, json: parsed };
}

/** Forms that tell nothing of a card's state. */
const UNREAD = /topo|version/;

describe('read dmon', () => {
  it.each(sampleNames('dmon'))('summarises %s', async (name) => {
    const { readings } = parseDmon(await text(name));
    const { code, out, json } = await readAllWays('dmon', name);
    expect(code).toBe(0);
    expect(out).toContain(`${readings.length} readings of`);
    expect(json).toMatchObject({ readings: readings.length, unreadable: [], unreadableCount: 0 });
  });

  it('tells what the detectors find in it, and answers 1 then', async () => {
    // The same nine seconds twelve times: a rule over time needs more than them.
    const stdin = [(await text('dmon--t4-uc-starved')).repeat(12)];
    const { out } = await run(['read', 'dmon', '-', '--json'], { stdin });
    expect(JSON.parse(out)).toMatchObject({ findings: [{ detector: 'U24' }], past: [] });
    const people = await run(['read', 'dmon', '-'], { stdin });
    expect(people.code).toBe(1);
    expect(people.out).toMatch(/warn: GPU 0 is busy only.*\(U24\)/);
  });

  it('does not make minutes of the seconds that were recorded', async () => {
    const { json, code } = await readAllWays('dmon', 'dmon--t4-uc-starved');
    expect(json).toMatchObject({ findings: [], past: [] });
    expect((json as { unknown: unknown[] }).unknown).toContainEqual(
      expect.objectContaining({
        detector: 'U24',
        because: 'the recording is 9 s long, and the rule wants 90 s',
      }),
    );
    expect(code).toBe(0);
  });

  it('prints each reading as a line of JSON with --rows', async () => {
    const name = 'dmon--a100x2-pucm-no-ccpm';
    const { code, out } = await run(['read', 'dmon', samplePath(name), '--rows']);
    expect(code).toBe(0);
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line): unknown => JSON.parse(line)),
    ).toEqual(parseDmon(await text(name)).readings);
  });

  it('names unreadable lines and answers 1', async () => {
    const stdin = ['# gpu sm\n 0 5\nnoise \x1b[31m\n 0 500\n'];
    const people = await run(['read', 'dmon', '-'], { stdin });
    expect(people.code).toBe(1);
    expect(people.out).toContain('Unreadable lines: 2');
    expect(people.out).toContain('noise \\x1b[31m');
    const rows = await run(['read', 'dmon', '-', '--rows'], { stdin });
    expect(rows.code).toBe(1);
    expect(rows.out.trimEnd().split('\n')).toHaveLength(1);
    expect(rows.err).toContain('Unreadable lines: 2');
  });

  it('keeps a bounded number of them from a flood, and counts all', async () => {
    const stdin = Array.from({ length: 50 }, () => 'noise\n'.repeat(100));
    const { out } = await run(['read', 'dmon', '-', '--json'], { stdin });
    const { unreadable, unreadableCount } = JSON.parse(out);
    expect(unreadable).toHaveLength(20);
    expect(unreadableCount).toBe(5000);
  });

  it('says why the tool stopped and answers 1', async () => {
    const { code, out } = await readAllWays('dmon', 'query--error-gpu-lost');
    expect(code).toBe(1);
    expect(out).toContain('A GPU no longer answers');
    expect(out).toContain('Unable to determine the device handle for GPU 0000:05:00.0');
  });

  it('does not call an empty stream fine', async () => {
    expect((await run(['read', 'dmon', '-'])).code).toBe(1);
  });
});

describe('read query', () => {
  it.each(sampleNames('query'))('prints what the reader concludes of %s', async (name) => {
    const output = parseQuery(await text(name));
    const { code, json } = await readAllWays('query', name);
    expect(code).toBe(output.failures.length > 0 ? 1 : 0);
    expect(json).toMatchObject({ ...output });
  });

  it.each(sampleNames('query-form').filter((name) => !UNREAD.test(name)))(
    'reads %s in its own form',
    async (name) => {
      const { form } = sample<{ readonly form: string }>(name).expected;
      const { json, out } = await readAllWays('query', name);
      expect(json).toMatchObject({ reader: 'query', form });
      expect((json as { rows: unknown[] }).rows.length).toBeGreaterThan(0);
      expect(out).toMatch(/^\d+ rows? of/);
    },
  );

  it.each(sampleNames('query-form').filter((name) => UNREAD.test(name)))(
    'refuses %s by what it is',
    async (name) => {
      const { code, out, err } = await run(['read', 'query', samplePath(name)]);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toMatch(/This is .*`nvidia-smi/);
    },
  );

  it('tells parts of a card from cards, and that MIG devices share memory', async () => {
    const { json, out } = await readAllWays('query', 'query-form--h200-mig-590-table-idle');
    expect(json).toMatchObject({ gpus: [{ index: 0, rows: 1 }] });
    expect((json as { instances: unknown[] }).instances).toHaveLength(5);
    expect(out).toContain('MIG devices are parts of a card, not GPUs of their own');
  });

  it('finds what one answer shows, and says what one moment cannot show', async () => {
    const pending = await readAllWays('query', 'query-form--a100-510-q-remap-pending');
    expect(pending.json).toMatchObject({
      findings: [{ detector: 'ecc', headline: 'GPU 0: a memory row waits to be replaced.' }],
      notes: [expect.stringContaining('does not tell the index')],
    });
    expect(pending.code).toBe(1);
    const idle = await readAllWays('query', 'query--rtx2080s-595-csv-idle');
    expect(idle.json).toMatchObject({ findings: [] });
    expect((idle.json as { unknown: unknown[] }).unknown).toContainEqual(
      expect.objectContaining({ detector: 'idle', because: expect.stringContaining('a moment') }),
    );
  });

  it('judges a looped query as the stream that it is', async () => {
    const head = 'index, uuid, utilization.gpu [%], memory.used [MiB]\n';
    const loop = (rows: number) => ({ stdin: [head + '0, GPU-1, 0 %, 1 MiB\n'.repeat(rows)] });
    const short = await run(['read', 'query', '-', '--json'], loop(20));
    expect(JSON.parse(short.out)).toMatchObject({ gpus: [{ index: 0, rows: 20 }], findings: [] });
    expect((JSON.parse(short.out) as { unknown: unknown[] }).unknown).toContainEqual(
      expect.objectContaining({
        detector: 'idle',
        because: 'the recording is 20 s long, and the rule wants 10 min',
      }),
    );
    const long = await run(['read', 'query', '-', '--json'], loop(650));
    expect(JSON.parse(long.out)).toMatchObject({ findings: [{ detector: 'idle' }] });
  });

  it('tells of cards without a name what is true of them, and that it counted them', async () => {
    const stdin = [
      [
        'pci.bus_id, remapped_rows.failure, power.limit [W], power.default_limit [W]',
        '00000000:17:00.0, Yes, 200.00 W, 350.00 W',
        '00000000:65:00.0, No, 350.00 W, 350.00 W',
        '',
      ].join('\n'),
    ];
    const { code, out } = await run(['read', 'query', '-'], { stdin });
    expect(code).toBe(1);
    expect(out).toMatch(/critical: GPU 0.*\(ecc\)/);
    expect(out).toMatch(/info: GPU 0.*\(power-cap\)/);
    expect(out).not.toContain('GPU 1');
    expect(out).toContain('does not tell the index of its cards');
  });

  it.each([
    ['a lost card', 'temperature.gpu, utilization.gpu [%]\n[GPU is lost], [GPU is lost]\n'],
    [
      'a card that fails at all',
      'temperature.gpu, fan.speed [%]\n[Unknown Error], [Unknown Error]\n',
    ],
    ['a recovery', 'gpu_recovery_action\nGPU Reset\n'],
  ])('finds %s that has no name', async (_, csv) => {
    const { code, out } = await run(['read', 'query', '-', '--json'], { stdin: [csv] });
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      findings: [{ detector: 'U22', severity: 'critical' }],
    });
  });

  it('does not call a card lost of which one figure could not be read', async () => {
    const stdin = ['index, temperature.gpu, fan.speed [%]\n0, 55, [Unknown Error]\n'];
    const { code, out } = await run(['read', 'query', '-'], { stdin });
    expect(code).toBe(1);
    expect(out).toContain('Figures that nvidia-smi could not read, of cards that answer: 1');
    expect(out).not.toMatch(/in trouble|U22/);
  });

  it('takes rows that may be one card or many for no load of any', async () => {
    const stdin = [`utilization.gpu [%]\n${'0 %\n'.repeat(700)}`];
    const { out } = await run(['read', 'query', '-', '--json'], { stdin });
    expect(JSON.parse(out)).toMatchObject({ findings: [], past: [] });
  });

  it('says when a looped query saw what it does not see at its end', async () => {
    const row = (power: string): string => `GPU-1, ${power}, 50 %\n`;
    const head = 'uuid, power.draw [W], utilization.gpu [%]\n';
    const stdin = [
      head +
        row('90.00 W').repeat(60) +
        'GPU-1, [GPU is lost], [GPU is lost]\n'.repeat(9) +
        row('90.00 W').repeat(60),
    ];
    const { code, out } = await run(['read', 'query', '-'], { stdin });
    expect(code).toBe(1);
    expect(out).toContain('Found before its end, and not at it: 1 finding');
    expect(out).toMatch(/It was so from about 1 min to about 1 min [89] s of the recording/);
  });

  it.each([
    ['a decimal comma', 'power.draw [W]', '60,12 W'],
    ['a negative figure', 'power.draw [W]', '-1.00 W'],
    ['an absurd load', 'utilization.gpu [%]', '4294967295 %'],
    ['an absurd heat', 'temperature.gpu', '999'],
    ['words in place of a count', 'ecc.errors.corrected.volatile.total', 'many'],
  ])('counts a line with %s, and keeps its other cells', async (_, field, cell) => {
    const stdin = [`index, uuid, ${field}\n0, GPU-1, ${cell}\n`];
    const { code, out } = await run(['read', 'query', '-', '--json'], { stdin });
    const name = field.split(' ')[0] ?? '';
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      unreadableCount: 1,
      rows: [{ uuid: { text: 'GPU-1' }, [name]: { kind: 'missing', because: 'unreadable' } }],
    });
  });

  it('answers 1 when a card is in trouble', async () => {
    const stdin = ['index, uuid, power.draw [W]\n0, GPU-1, [GPU is lost]\n'];
    const { code, out } = await run(['read', 'query', '-'], { stdin });
    expect(code).toBe(1);
    expect(out).toContain('card in trouble: 1');
  });

  it('shows the first of many unreadable lines, and counts all', async () => {
    const { out } = await run(['read', 'query', '-', '--json'], { stdin: ['noise\n'.repeat(500)] });
    const { unreadable, unreadableCount } = JSON.parse(out);
    expect([unreadable.length, unreadableCount]).toEqual([20, 500]);
  });

  it('answers 1 for rows without a header', async () => {
    const { code, out } = await run(['read', 'query', '-'], { stdin: ['0, GPU-1\n'] });
    expect(code).toBe(1);
    expect(out).toContain('0, GPU-1');
  });
});

describe('read xid', () => {
  it.each(sampleNames('xid'))('prints what the reader concludes of %s', async (name) => {
    const { code, json } = await readAllWays('xid', name);
    expect(code).toBe(1);
    expect(json).toMatchObject({ reader: 'xid', ...parseKernelLog(await text(name)) });
  });

  it('answers 0 only for a log that tells of nothing since the boot', async () => {
    const whole = await run(['read', 'xid', '-'], { stdin: ['[    0.000000] Linux\n'] });
    expect(whole).toMatchObject({ code: 0, out: 'Clear: no event in 1 line since the boot\n' });
    const late = await run(['read', 'xid', '-'], { stdin: ['[ 9000.000000] usb\n'] });
    expect(late.code).toBe(1);
    expect(late.out).toMatch(/^Cannot rule out Xids: the log begins 9000 s after the boot/);
  });

  it('shows the cause before what follows it', async () => {
    const { out } = await run(['read', 'xid', samplePath('xid--48-63-94-h100')]);
    const lines = out.split('\n').filter((line) => /^ *(?:48|63|94) {2}/.test(line));
    expect(lines.map((line) => line.trim().slice(0, 2))).toEqual(['48', '63', '94']);
    expect(out).toContain('uncorrectable (double bit) ECC error');
  });

  it('finds the incident with what to do about it', async () => {
    const { json } = await readAllWays('xid', 'xid--48-63-94-h100');
    expect(json).toMatchObject({
      findings: [
        { detector: 'U22', fix: [expect.any(String), expect.any(String), expect.any(String)] },
      ],
    });
    const denied = await run(['read', 'xid', samplePath('xid--dmesg-denied'), '--json']);
    const { findings, unknown } = JSON.parse(denied.out) as {
      readonly findings: unknown[];
      readonly unknown: { readonly detector: string; readonly because: string }[];
    };
    expect(findings).toEqual([]);
    expect(unknown.find(({ detector }) => detector === 'U22')?.because).toContain(
      'closed to this user',
    );
  });

  it('says of a closed log that it cannot tell', async () => {
    const { out } = await run(['read', 'xid', samplePath('xid--dmesg-denied')]);
    expect(out).toMatch(/^Cannot rule out Xids: the kernel log is closed to this user/);
  });
});

describe('read df', () => {
  it.each(sampleNames('df'))('prints what the reader concludes of %s', async (name) => {
    const output = parseDf(await text(name));
    const { code, json } = await readAllWays('df', name);
    const { findings } = json as { readonly findings: readonly unknown[] };
    const doubts = output.unreadable.length + output.complaints.length;
    expect(code).toBe(doubts + findings.length > 0 ? 1 : 0);
    expect(json).toEqual({ reader: 'df', ...output, findings });
    expect(findings).toHaveLength(judgeDf(output.rows).length);
  });

  it.each([['read', 'df'], ['read', 'auto'], ['detect']])(
    'finds a full disk by %s %s',
    async (...argv) => {
      const stdin = [
        'Filesystem 1024-blocks Used Available Capacity Mounted on\n/dev/vdb1 512000 512000 0 100% /root/data\n',
      ];
      const words = argv.filter((word) => word !== undefined);
      const people = await run([...words, '-'], { stdin });
      expect(people.code).toBe(1);
      expect(people.out).toMatch(/critical: .+ \(U6\)/);
      const json = await run([...words, '-', '--json'], { stdin });
      expect(JSON.parse(json.out)).toMatchObject({
        findings: [{ detector: 'U6', subject: { kind: 'mount', path: '/root/data' } }],
      });
    },
  );

  it('shows what the file system does not count as unknown', async () => {
    const { out } = await run(['read', 'df', samplePath('df--vfat-dash-i')]);
    expect(out).toMatch(/^\/media\/xxxx\/BA82-BECD +\/dev\/sdb1( +–){6}$/m);
  });

  it('marks rounded figures', async () => {
    const stdin = ['Filesystem Size Used Avail Use% Mounted on\n/dev/a 4.4G 2G 0 50% /\n'];
    const { out } = await run(['read', 'df', '-'], { stdin });
    expect(out).toContain('about 2.0 GiB');
  });
});

describe('read cgroup', () => {
  it.each(sampleNames('cgroup'))('prints what the reader concludes of %s', async (name) => {
    const people = await run(['read', 'cgroup', samplePath(name)]);
    const asJson = await run(['read', 'cgroup', samplePath(name), '--json']);
    const { kind, rows, unreadable } = JSON.parse(asJson.out) as {
      readonly kind: CgroupFile;
      readonly rows: unknown;
      readonly unreadable: readonly string[];
    };
    expect({ rows, unreadable }).toEqual(parseCgroup(kind, await text(name)));
    expect(people.out).toContain(`Read as ${kind} (guessed)`);
    const code = unreadable.length > 0 ? 1 : 0;
    expect([people.code, asJson.code]).toEqual([code, code]);
  });

  it('finds a kill, and says of other files that they do not tell', async () => {
    const killed = await run(['read', 'cgroup', '-', '--json'], { stdin: ['oom_kill 2\n'] });
    expect(JSON.parse(killed.out)).toMatchObject({
      findings: [{ detector: 'U9', headline: 'The kernel ended 2 processes for want of memory.' }],
      unknown: [],
    });
    const none = await run(['read', 'cgroup', '-', '--json'], { stdin: ['oom_kill 0\n'] });
    expect(JSON.parse(none.out)).toMatchObject({ findings: [], unknown: [] });
    const limit = await run(['read', 'cgroup', '-', '--as', 'memory.max', '--json'], {
      stdin: ['max\n'],
    });
    expect(JSON.parse(limit.out)).toMatchObject({ findings: [], unknown: [{ detector: 'U9' }] });
  });

  it('takes the kind that it is told', async () => {
    const stdin = ['9223372036854771712\n'];
    const argv = ['read', 'cgroup', '-', '--as', 'memory.limit_in_bytes'];
    expect(await run(argv, { stdin })).toEqual({
      code: 0,
      out: 'Read as memory.limit_in_bytes\nLimit: none\n',
      err: '',
    });
  });

  it('refuses to guess what a bare number is, and a kind that does not exist', async () => {
    const guess = await run(['read', 'cgroup', '-'], { stdin: ['5\n'] });
    expect(guess).toMatchObject({ code: 2, out: '' });
    expect(guess.err).toContain('say it with --as');
    const kind = await run(['read', 'cgroup', '-', '--as', 'tea'], { stdin: ['5\n'] });
    expect(kind).toMatchObject({ code: 2, out: '' });
    expect(kind.err).toContain('There is no kind tea');
  });

  it.each([
    ['memory.events', 'oom_kill 2\n', 'Processes killed for want of memory: 2'],
    ['memory.oom_control', 'oom_kill_disable 0\nunder_oom 1\n', 'out of memory right now'],
    [
      'kernel-log',
      '[ 5.5] Memory cgroup out of memory: Killed process 12 (python) total-vm:9kB\n',
      'Killed for want of memory (container): python, pid 12',
    ],
  ])('answers 1 for a kill told by %s', async (kind, content, sentence) => {
    const { code, out } = await run(['read', 'cgroup', '-'], { stdin: [content] });
    expect(code).toBe(1);
    expect(out).toContain(`Read as ${kind} (guessed)`);
    expect(out).toContain(sentence);
  });

  it('reads the recorded kernel line', async () => {
    const { out } = await run(['read', 'cgroup', samplePath('oom-kill--oom-kernel-lines')]);
    expect(out).toContain('Killed for want of memory (container): node, pid 863987');
  });

  it('says that a kernel without the counter leaves kills unknown', async () => {
    const { out } = await run(['read', 'cgroup', samplePath('cgroup--v1-root-old-kernel')]);
    expect(out).toContain('unknown (not counted by this kernel)');
  });
});

describe('read auto', () => {
  it.each([
    ...['dmon', 'query', 'xid', 'df'].map((reader) => [reader, reader] as const),
    ['query-form', 'query'],
    ['oom-kill', 'cgroup'],
    ['cgroup', 'cgroup'],
  ] as const)('finds the reader of every sample of %s', async (probe, reader) => {
    for (const name of sampleNames(probe).filter((each) => !UNREAD.test(each))) {
      const { code, out } = await run(['read', 'auto', samplePath(name), '--json']);
      expect(code).not.toBe(2);
      expect([name, (JSON.parse(out) as { reader: string }).reader]).toEqual([name, reader]);
    }
  });

  it('answers what that reader answers, from a file and from a pipe', async () => {
    const name = 'query--error-gpu-lost';
    const named = await run(['read', 'query', samplePath(name), '--json']);
    expect(await run(['read', 'auto', samplePath(name), '--json'])).toEqual(named);
    const piped = await run(['read', 'auto', '-', '--json'], { stdin: [await text(name)] });
    expect(piped).toEqual(named);
  });

  it('reads on behind the beginning that it judged by', async () => {
    const stdin = [
      '# gpu sm\n# Idx %\n',
      ...Array.from({ length: 400 }, () => ' 0 5\n'.repeat(50)),
    ];
    const { out, code } = await run(['read', 'auto', '-', '--json'], { stdin });
    expect(JSON.parse(out)).toMatchObject({ reader: 'dmon', readings: 20_000 });
    expect(code).toBe(0);
  });

  it.each([
    ['', '[Mon Nov 24 10:22:13 2025] usb 1-1: new device\n', 'xid', 'does not say whether'],
    ['', '[Mon Nov 24 10:22:13 2025] Linux version 5.15.0-91\n', 'xid', 'Clear: no event'],
    [
      'of a kill ',
      '[Mon Nov 24 10:22:13 2025] Memory cgroup out of memory: Killed process 7 (python) total-vm:9kB\n',
      'cgroup',
      'pid 7',
    ],
  ])('reads `dmesg -T` %s: %j', async (_, line, reader, words) => {
    const json = await run(['read', 'auto', '-', '--json'], { stdin: [line] });
    expect(JSON.parse(json.out)).toMatchObject({ reader });
    expect((await run(['read', 'auto', '-'], { stdin: [line] })).out).toContain(words);
  });

  it.each([
    ['', '#gpu, pwr, sm, pclk\n#Idx, W, %, MHz\n0, 55, 3, 300\n'],
    ['with the time', '#Date, Time, gpu, pwr, sm\n20251124, 10:11:12, 0, 55, 3\n'],
    ['without units', '#gpu, pwr, sm\n0, 55, 3\n'],
    ['without blanks', '#gpu,pwr,sm\n#Idx,W,%\n0,55,3\n'],
    [
      'below its command',
      '$ nvidia-smi dmon --format csv\n# gpu, pwr, sm\n# Idx, W, %\n    0, 55, 3\n',
    ],
  ])('reads `dmon --format csv` %s', async (_, text) => {
    const { out } = await run(['read', 'auto', '-', '--json'], { stdin: [text] });
    expect(JSON.parse(out)).toMatchObject({
      reader: 'dmon',
      readings: 1,
      gpus: [{ index: 0, figures: { smPct: { max: 3 }, powerW: { max: 55 } } }],
    });
  });

  it('refuses what it is not certain about, and a file that is not there', async () => {
    const prose = await run(['read', 'auto', '-'], { stdin: ['Hello, world\n'] });
    expect(prose).toMatchObject({ code: 2, out: '' });
    expect(prose.err).toContain('cannot be told');
    expect(await run(['read', 'auto', '/no/such/file'])).toMatchObject({ code: 2, out: '' });
  });
});

describe('hostile bytes', () => {
  const hostile = '\x1b[2J\x1b]8;;http://x\x07 \x9b31m \u202e \0 \u2028';

  it.each([
    ['dmon', `# gpu sm\n 0 5\n${hostile}\n`],
    ['query', `index, name\n0, ${hostile}\n`],
    ['xid', `NVRM: Xid (PCI:0000:3b:00): 31, pid=1, name=${hostile}, ${hostile}\n`],
    [
      'df',
      `Filesystem 1K-blocks Used Available Use% Mounted on\n/dev/a 8 4 4 50% /mnt/${hostile}\n`,
    ],
    ['cgroup', `oom_kill 1\n${hostile}\n`],
  ])('never reach the terminal raw through read %s', async (probe, content) => {
    for (const flags of [[], ['--json']]) {
      const { out, err } = await run(['read', probe, '-', ...flags], { stdin: [content] });
      expect(out).toMatch(/\\x1b\[2J|\\u001b\[2J/);
      expect(out + err).not.toMatch(/[^\P{C}\n]|[\u2028\u2029]/u);
    }
  });
});
