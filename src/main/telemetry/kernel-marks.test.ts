import { expect, it } from 'vitest';
import { details, facts } from '../../shared/detectors/box.fixture.ts';
import { parseKernelLog } from '../../shared/probes/xid.ts';
import { KernelMarks } from './kernel-marks.ts';

const CARD = '0000:3b:00';
const LOST = `[  100.000000] NVRM: Xid (PCI:${CARD}): 79, GPU has fallen off the bus.`;
const ASKED = `[  100.100000] NVRM: Xid (PCI:${CARD}): 154, GPU recovery action changed from 0x0 (None) to 0x2 (Node Reboot Required)`;
const BACK = `[  200.000000] NVRM: Xid (PCI:${CARD}): 154, GPU recovery action changed from 0x2 (Node Reboot Required) to 0x0 (None)`;

function look(...lines: readonly string[]) {
  const { rows: events, outcome } = parseKernelLog(lines.join('\n'));
  const base = facts();
  return {
    ...base,
    atMs: 300_000,
    gpus: [details({ pciAddress: CARD })],
    machine: { ...base.machine, uptimeS: 300 },
    kernelLog: { events, outcome, source: 'dmesg' as const },
  };
}

it('marks each line once, at its own time, and a recovery as what it is', () => {
  const marks = new KernelMarks(() => false);
  expect(marks.next(look(LOST, ASKED))).toMatchObject([
    { kind: 'xid', code: 79, atMs: 100_000, gpu: 'GPU-0', clue: LOST },
    { kind: 'xid', code: 154 },
  ]);
  expect(marks.next(look(LOST, ASKED, BACK))).toMatchObject([
    { kind: 'gpu-back', code: null, atMs: 200_000, clue: BACK },
  ]);
  expect(marks.next(look(LOST, ASKED, BACK))).toEqual([]);
});

it('tells nothing that was noted already', () => {
  const marks = new KernelMarks(({ kind }) => kind === 'gpu-back');
  expect(marks.next(look(LOST, BACK)).map(({ kind }) => kind)).toEqual(['xid']);
});
