import { describe, expect, it } from 'vitest';
import { parseGpuFacts } from '../probes/gpu-facts.ts';
import type { BoxGpuFacts, GpuDetails, MachineFacts } from './gpu-facts.ts';
import { compareLooks, withoutCards } from './machine-marks.ts';

const BOOT = 'b0e7a000-0000-4000-8000-000000000001';
const text = `m begin machine\nboot_id ${BOOT}\nuptime 100.0 1\ninit_start 5\nnow 1000\nm end machine 0
m begin gpus\nindex, uuid, name, driver_version, clocks_event_reasons_counters.sw_power_cap [us]
0, GPU-a, T4, 550.1, 900 us\n1, GPU-b, T4, 550.1, 900 us\nm end gpus 0\n`;
const { facts } = parseGpuFacts(text, 'm', { askedAtMs: 0, answeredAtMs: 0 });
const BEFORE: BoxGpuFacts = { ...facts, cpu: null, atMs: 1000 };

function after(
  machine: Partial<MachineFacts>,
  gpus: readonly Partial<GpuDetails>[] = [{}, {}],
): BoxGpuFacts {
  return {
    ...BEFORE,
    atMs: 31_000,
    machine: { ...BEFORE.machine, ...machine },
    gpus: gpus.map((part, i) => ({ ...(BEFORE.gpus[i] as GpuDetails), ...part })),
  };
}
const kinds = (now: BoxGpuFacts, isSure = true): readonly string[] =>
  compareLooks(BEFORE, now, isSure).map(({ kind }) => kind);
const COUNTERS = (BEFORE.gpus[0] as GpuDetails).throttleCounters;

describe('compareLooks', () => {
  it.each<[string, BoxGpuFacts, readonly string[]]>([
    ['nothing', after({}), []],
    ['a reboot (GEN6)', after({ bootId: 'other' }), ['reboot']],
    ['a boot id that was not told', after({ bootId: null }), []],
    ['a container that was restarted', after({ initStartTicks: 9 }), ['container-restart']],
    ['a driver that was updated', after({}, [{ driverVersion: '570' }, {}]), ['driver-change']],
    ['a card that is gone', after({}, [{}]), ['gpu-lost']],
    ['a card in trouble', after({}, [{}, { trouble: 'GPU is lost' }]), ['gpu-lost']],
    [
      'a card that was reset',
      after({}, [{ throttleCounters: { ...COUNTERS, powerCapUs: 3 } }, {}]),
      ['gpu-reset'],
    ],
    [
      'a counter that went on',
      after({}, [{ throttleCounters: { ...COUNTERS, powerCapUs: 950 } }, {}]),
      [],
    ],
    [
      'counters after a reboot, which is no reset',
      after({ bootId: 'other' }, [{ throttleCounters: { ...COUNTERS, powerCapUs: 3 } }, {}]),
      ['reboot'],
    ],
    ['a clock that was set', after({ clockOffsetMs: 1_500_000 }), ['box-clock-jump']],
    ['an answer that took a while', after({ clockOffsetMs: 1_004_000 }), []],
  ])('tells %s', (_what, now, expected) => expect(kinds(now)).toEqual(expected));

  it('does not blame the box’s clock while ours was set', () => {
    expect(kinds(after({ clockOffsetMs: 1_500_000 }), false)).toEqual([]);
  });

  it('tells once that no card is listed any more, and once that they are, however often it looks', () => {
    const none = after({ bootId: 'other' }, []);
    expect(kinds(none)).toEqual(['reboot', 'gpu-lost', 'gpu-lost']);
    const silent = withoutCards(BEFORE, none);
    expect(compareLooks(silent, none, true)).toEqual([]);
    const still = withoutCards(silent, none);
    const back = after({ bootId: 'other' }, [
      { throttleCounters: { ...COUNTERS, powerCapUs: 3 } },
      {},
    ]);
    expect(compareLooks(still, back, true).map(({ kind }) => kind)).toEqual([
      'gpu-back',
      'gpu-back',
      'gpu-reset',
    ]);
  });

  it('sees a card come back', () => {
    expect(
      compareLooks(after({}, [{}]), after({}), true).map(({ kind, gpu }) => [kind, gpu]),
    ).toEqual([['gpu-back', 'GPU-b']]);
  });
});
