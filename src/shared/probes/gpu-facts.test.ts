import { describe, expect, it } from 'vitest';
import { parseGpuFacts } from './gpu-facts.ts';
import { cut, damaged, noise, randomText, sample } from './sample.fixture.ts';

const MARK = 'leasehold-0123456789abcdef';
const CLOCK = { askedAtMs: 1_000_000, answeredAtMs: 1_002_000 };

function section(name: string, text: string, code = 0): string {
  return `\n${MARK} begin ${name}\n${text}\n${MARK} end ${name} ${String(code)}\n`;
}
const look = (...sections: readonly string[]) =>
  parseGpuFacts([...sections, section('whole', '')].join(''), MARK, CLOCK);

describe('parseGpuFacts', () => {
  it('reads the slow facts of a recorded H100 under load', () => {
    const { facts } = look(section('gpus', sample('query--h100-590-csv-load').text));
    expect(facts.gpus).toMatchObject([
      {
        name: 'NVIDIA H100 80GB HBM3',
        driverVersion: '590.48.01',
        memoryTotalMiB: 81559,
        powerLimitW: 700,
        defaultPowerLimitW: 700,
        maxSmClockMHz: 1980,
        temperatureMarginC: 26,
        throttleBits: 0,
        eccUncorrectedVolatile: 0,
        isSramThresholdExceeded: false,
        isRemapPending: false,
        hasRemapFailed: false,
        // Volta and older only.
        retiredPagesPending: null,
        recoveryAction: 'None',
        fabricState: 'Completed',
        fabricStatus: 'Success',
        trouble: null,
        // Not asked for.
        slowdownTemperatureC: null,
      },
    ]);
  });

  it('reads counters of throttling from a recorded L40S, and MIG from a recorded H100', () => {
    const l40s = look(section('gpus', sample('query--l40s-595-csv-just-after-load').text));
    expect(l40s.facts.gpus[0]?.throttleCounters.powerCapUs).toBe(200_740_215);
    const mig = look(section('gpus', sample('query--h100-mig-590-csv-load').text));
    expect(mig.facts.gpus[0]).toMatchObject({
      migMode: 'Enabled',
      remappedCorrectable: null,
      isRemapPending: null,
    });
  });

  it.each([
    ['event', 4],
    ['throttle', 4],
    ['other', null],
  ])('takes the reasons under the name with “%s”', (word, bits) => {
    const text = `index, uuid, name, clocks_${word}_reasons.active\n0, GPU-a, T4, 0x0000000000000004`;
    expect(look(section('gpus', text)).facts.gpus[0]?.throttleBits).toBe(bits);
  });

  it('believes in no more cards than a machine can have, and says that there were more', () => {
    const rows = Array.from({ length: 5000 }, (_, at) => `${String(at)}, GPU-${String(at)}, T4\n`);
    const { facts } = look(
      section('gpus', `index, uuid, name\n${'odd\n'.repeat(999)}${rows.join('')}`),
    );
    expect(facts.gpus).toHaveLength(64);
    expect(facts.unknown).toHaveLength(21);
    expect(facts.unknown.at(-1)).toBe('more than 64 cards');
  });

  it('reads no more lines of a section than cards and processes can take', () => {
    const { failures, tools } = look(
      section('machine', 'tool smi\n'.repeat(10_000)),
      section('gpus', 'No devices were found\n'.repeat(10_000)),
      section('apps', 'No devices were found\n'.repeat(10_000)),
    );
    expect([tools.length, failures.length]).toEqual([4096, 2 * 4096]);
  });

  it('reads the temperatures of as many cards as a machine can have, and of a report without end no more', () => {
    const address = (at: number): string => `${at.toString(16).padStart(8, '0')}:00:00.0`;
    // As recorded, the part of a card has 510 characters.
    const report = (cards: number): string =>
      Array.from(
        { length: cards },
        (_, at) =>
          `GPU ${address(at)}\n    Temperature\n        ${'GPU Slowdown Temp'.padEnd(450)} : 97 C\n`,
      ).join('');
    const slowdownOf = (card: number, cards: number) =>
      look(
        section('gpus', `index, uuid, pci.bus_id, name\n0, GPU-a, ${address(card)}, H100`),
        section('temperature', report(cards)),
      ).facts.gpus[0]?.slowdownTemperatureC;
    expect(slowdownOf(63, 64)).toBe(97);
    expect(slowdownOf(63, 1000)).toBe(97);
    expect(slowdownOf(999, 1000)).toBeNull();
    expect(slowdownOf(64, 65)).toBeNull();
  });

  it('names a lost card, and reads the others', () => {
    const lost = sample('query--error-gpu-lost').text;
    const text = `${lost}\nindex, uuid, name\n1, GPU-b, T4`;
    const { facts, failures } = look(section('gpus', text, 15));
    expect(failures).toMatchObject([{ kind: 'gpu-lost' }]);
    expect(facts.gpus).toMatchObject([{ index: 1 }]);
    const cells = 'index, uuid, name, power.draw [W]\n0, GPU-a, T4, [GPU is lost]';
    expect(look(section('gpus', cells)).facts.gpus[0]?.trouble).toBe('GPU is lost');
  });

  it('reads temperatures and CUDA from recorded reports, absolute ones and none where margins are given', () => {
    const geforce = sample('query-form--rtx2080s-610-q-load').text;
    const address = /^GPU ([0-9A-F:.]+)$/m.exec(geforce)?.[1] ?? '';
    const gpus = `index, uuid, pci.bus_id, name\n0, GPU-a, ${address}, RTX`;
    const { facts } = look(section('gpus', gpus), section('temperature', geforce));
    expect(facts.gpus[0]).toMatchObject({ slowdownTemperatureC: 97, maxOperatingTemperatureC: 89 });
    expect(facts.machine.cudaMaxVersion).toMatch(/^\d+\.\d+$/);
    const h100 = sample('query-form--h100-590-q-load').text;
    const margins = look(section('gpus', gpus), section('temperature', h100));
    expect(margins.facts.gpus[0]?.slowdownTemperatureC).toBeNull();
  });

  const APPS =
    'pid, process_name, used_memory [MiB], gpu_uuid\n4711, /usr/bin/python3, 1024 MiB, GPU-a\n';
  const MACHINE = 'uptime 1000.50 3.2\ntick 100\n';
  const process = (lines: string): string => `pid 4711\n${lines}`;

  it.each([
    [
      'the same process',
      'user ada\nstart 40050\nprogram /usr/bin/python3\ncommand python3 train.py\ngpu yes\n',
      { user: 'ada', command: 'python3 train.py', ageS: 600 },
    ],
    [
      'another process under the host’s number',
      'user root\nstart 1\nprogram /usr/sbin/sshd\ncommand sshd: ada\n',
      { user: null, command: null, ageS: null },
    ],
    [
      'one of that name that has no GPU open',
      'user ada\nstart 1\nprogram /usr/bin/python3\ncommand python3 other.py\ngpu no\n',
      { user: null, command: null, ageS: null },
    ],
    ['a process that this box does not show', '', { user: null, command: null, ageS: null }],
  ])('tells of %s only what is certain', (_what, lines, expected) => {
    const { facts } = look(
      section('machine', MACHINE),
      section('gpus', 'index, uuid, name\n0, GPU-a, T4'),
      section('apps', APPS),
      section('processes', lines === '' ? '' : process(lines)),
    );
    expect(facts.processes).toEqual({
      kind: 'known',
      processes: [
        { gpu: 'GPU-a', pid: 4711, name: '/usr/bin/python3', memoryMiB: 1024, ...expected },
      ],
    });
  });

  it('does not take a list that failed for an empty one', () => {
    const { facts } = look(section('apps', 'something went wrong', 9));
    expect(facts.processes.kind).toBe('unknown');
    expect(look().facts.processes.kind).toBe('unknown');
    expect(look(section('apps', APPS.split('\n')[0] ?? '')).facts.processes).toEqual({
      kind: 'known',
      processes: [],
    });
  });

  it('never calls an unreadable log clear', () => {
    const denied = sample('xid--dmesg-denied').text;
    expect(look(section('dmesg', denied)).facts.kernelLog.outcome.kind).toBe('cannot-rule-out');
    expect(look().facts.kernelLog.outcome.kind).toBe('cannot-rule-out');
    const both = look(section('dmesg', denied), section('journalctl', '[    0.000000] Linux'));
    expect(both.facts.kernelLog).toMatchObject({
      outcome: { kind: 'clear' },
      source: 'journalctl',
    });
    const found = look(section('dmesg', sample('xid--79-with-aer').text));
    expect(found.facts.kernelLog.events[0]).toMatchObject({ kind: 'xid', code: 79 });
    const xid = (atS: number, code: number): string =>
      `[${atS.toFixed(6)}] NVRM: Xid (PCI:0000:3b:00): ${code}, pid=7, x`;
    const storm = [xid(1, 79), ...Array.from({ length: 400 }, (_none, i) => xid(2 + i, 13))];
    const { events } = look(section('dmesg', storm.join('\n'))).facts.kernelLog;
    expect(events.map((event) => event.kind === 'xid' && event.code)).toEqual([
      79,
      ...Array<number>(100).fill(13),
    ]);
  });

  it('takes no line of the box for a mark, and knows an output that was cut', () => {
    const forged = `leasehold-0 begin gpus\nindex, uuid, name\n0, GPU-x, X\nleasehold-0 end gpus 0\n`;
    const { facts, unreadable } = parseGpuFacts(`banner\n${forged}`, MARK, CLOCK);
    expect(facts.gpus).toEqual([]);
    expect(unreadable[0]).toBe('banner');
    const whole = section('gpus', 'index, uuid, name\n0, GPU-a, T4') + section('whole', '');
    expect(parseGpuFacts(whole, MARK, CLOCK).isWhole).toBe(true);
    expect(parseGpuFacts(whole.slice(0, -20), MARK, CLOCK).isWhole).toBe(false);
  });

  it('places the box’s clock against ours', () => {
    const { facts } = look(section('machine', 'now 1101\nboot_id no-such-id\nuptime 12,5 1\n'));
    expect(facts.machine).toMatchObject({ clockOffsetMs: 100_000, bootId: null, uptimeS: null });
  });

  it('ends on any text', () => {
    const random = noise(23);
    const whole =
      section('machine', MACHINE) +
      section('gpus', sample('query--h100-590-csv-load').text) +
      section('apps', APPS) +
      section('temperature', sample('query-form--h100-590-q-load').text);
    for (let round = 0; round < 60; round += 1) {
      parseGpuFacts(damaged(whole, random), MARK, CLOCK);
      parseGpuFacts(section('gpus', randomText(500, random)), MARK, CLOCK);
    }
    for (const piece of cut(whole, 997))
      expect(parseGpuFacts(piece, MARK, CLOCK).isWhole).toBe(false);
  });
});
