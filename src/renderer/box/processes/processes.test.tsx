import { takeCopies } from '../../ui/take-copies.fixture.ts';
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { problem } from '../../../shared/problem.ts';
import { err, ok } from '../../../shared/result.ts';
import {
  UNTOLD_DETAILS,
  type BoxGpuFacts,
  type GpuFactsState,
  type GpuProcess,
} from '../../../shared/telemetry/gpu-facts.ts';
import type { GpuHolder, ListedHolders } from '../../../shared/telemetry/gpu-holders.ts';
import type { FakeBridge } from '../../state/fake-bridge.fixture.ts';
import { useGpuFacts } from '../../state/gpu-facts.ts';
import { createStreamClient } from '../../state/stream-client.ts';
import { StreamProvider } from '../../state/stream-context.ts';
import { openTestWindow } from '../../test-window.fixture.ts';
import { ProcessesPanel } from './processes-panel.tsx';

const NOW_MS = 1_000_000;
const BOX_ID = '9a1d5c1e-0c7e-4a53-8a44-3f1f7f6c1a01';
const COMMAND = 'python -u -m src.train -c configs/recon/baseline.yaml --resume latest';

beforeEach(() => void vi.useFakeTimers({ now: NOW_MS, toFake: ['Date'] }));
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function card(index: number, memoryUsedMiB: number | null): BoxGpuFacts['gpus'][number] {
  return { ...UNTOLD_DETAILS, index, uuid: `GPU-${index}`, name: 'A100', memoryUsedMiB };
}

function processOn(index: number, part: Partial<GpuProcess> = {}): GpuProcess {
  return {
    gpu: `GPU-${index}`,
    pid: 41822,
    name: 'python',
    memoryMiB: 75_674,
    user: 'root',
    command: COMMAND,
    ageS: 17_400,
    ...part,
  };
}

function facts(part: Partial<BoxGpuFacts> = {}): BoxGpuFacts {
  return {
    atMs: NOW_MS - 12_000,
    vendor: 'nvidia',
    gpus: [card(0, 75_680), card(1, 4)],
    processes: { kind: 'known', processes: [processOn(0)] },
    kernelLog: { outcome: { kind: 'clear' }, events: [], source: 'dmesg' },
    machine: {
      bootId: null,
      uptimeS: null,
      initStartTicks: null,
      clockOffsetMs: null,
      isContainer: null,
      cudaMaxVersion: null,
    },
    cpu: null,
    unknown: [],
    ...part,
  };
}

function Panel({ gpu }: { readonly gpu: number | null }) {
  return <ProcessesPanel boxId={BOX_ID} feed={useGpuFacts(BOX_ID)} gpu={gpu} />;
}

async function open(state: GpuFactsState, gpu: number | null = null) {
  const bridge = openTestWindow();
  bridge.serve('gpu-facts', state);
  render(
    <StreamProvider value={createStreamClient(bridge)}>
      <Panel gpu={gpu} />
    </StreamProvider>,
  );
  const panel = await screen.findByRole('region', { name: /rocesses/ });
  await vi.waitFor(() => expect(panel.textContent).not.toContain('Waiting for the first check'));
  return { bridge, panel, user: userEvent.setup() };
}

const text = (element: HTMLElement) => element.textContent.replace(/[\u202f\u00a0]/g, ' ');

describe('the processes of a box', () => {
  it('are rows with user, memory, age and command, and say how old they are', async () => {
    const { panel } = await open({ facts: facts(), problem: null });
    expect(text(panel)).toContain('seen 12 s ago');
    const row = within(panel).getByRole('row', { name: /41822/ });
    expect(text(row)).toContain('041822root73.9 GiB4 h 50 min');
    expect(within(row).getByTitle(COMMAND)).toBeDefined();
  });

  it('stand beside what the CPUs do, and unknown figures stay unknown', async () => {
    const cpu = {
      atMs: NOW_MS,
      quotaCpus: 8,
      hostCpus: 64,
      usedCpus: 7.24,
      throttledPct: 31,
      threads: 96,
      load1: null,
    };
    const { panel } = await open({ facts: facts({ cpu }), problem: null });
    expect(text(panel)).toContain('CPU 7.2 of 8 cores, throttled 31 %, 96 threads');
    cleanup();
    const first = { ...cpu, usedCpus: null, throttledPct: null, threads: null };
    const early = await open({ facts: facts({ cpu: first }), problem: null });
    expect(text(early.panel)).toContain('CPU not reported (8 cores), throttling not reported');
    cleanup();
    const bare = { ...cpu, quotaCpus: null, throttledPct: 0 };
    const machine = await open({ facts: facts({ cpu: bare }), problem: null });
    expect(text(machine.panel)).toContain('CPU 7.2 of 64 cores, 96 threads');
  });

  it('are those of the chosen GPU only', async () => {
    const { panel } = await open({ facts: facts(), problem: null }, 1);
    expect(within(panel).getByRole('heading', { name: 'GPU 1 processes' })).toBeDefined();
    expect(text(panel)).toContain('nvidia-smi lists no process on GPU 1');
    expect(within(panel).queryByRole('table')).toBeNull();
  });

  it('gives no kill command for a process that is not visible here', async () => {
    const hidden = processOn(0, { user: null, command: null, ageS: null });
    const { panel, user } = await open({
      facts: facts({ processes: { kind: 'known', processes: [hidden] } }),
      problem: null,
    });
    expect(text(panel)).toContain('outside this container');
    await user.click(within(panel).getByRole('button', { name: 'Actions for process 41822' }));
    expect(screen.getByRole('menuitem', { name: /Copy kill command/ })).toHaveProperty(
      'ariaDisabled',
      'true',
    );
  });

  it('copies kill command, command line and row with nothing hidden in them', async () => {
    const copied: string[] = [];
    takeCopies(copied);
    const hostile = processOn(0, { command: 'python \u001b[2Jx\u202e; rm' });
    const { panel, user } = await open({
      facts: facts({ processes: { kind: 'known', processes: [hostile] } }),
      problem: null,
    });
    expect(text(panel)).toContain('python <ESC>[2Jx<U+202E>; rm');
    for (const name of ['Copy kill command', 'Copy command line', 'Copy row']) {
      await user.click(within(panel).getByRole('button', { name: /Actions/ }));
      await user.click(screen.getByRole('menuitem', { name }));
    }
    expect(copied.map((each) => each.replace(/[\u202f\u00a0]/g, ' '))).toEqual([
      'kill 41822',
      'python <ESC>[2Jx<U+202E>; rm',
      'GPU 0\t41822\troot\t73.9 GiB\t4 h 50 min\tpython <ESC>[2Jx<U+202E>; rm',
    ]);
  });

  it('says that memory is held by nobody visible, and that it may be another container', async () => {
    const nobody = { kind: 'known', processes: [] } as const;
    const { panel } = await open({ facts: facts({ processes: nobody }), problem: null });
    expect(text(panel)).toContain('GPU 0 holds 73.9 GiB, and nvidia-smi lists nobody. A leftover');
    expect(text(panel)).not.toContain('GPU 1 holds');
    cleanup();
    const machine = { ...facts().machine, isContainer: true };
    const inside = await open({ facts: facts({ processes: nobody, machine }), problem: null });
    expect(text(inside.panel)).toContain('other containers are invisible from inside');
  });

  it('is unknown, not empty, where nobody could look; and old looks say so', async () => {
    const because = 'nvidia-smi did not list the processes';
    const { panel } = await open({
      facts: facts({ processes: { kind: 'unknown', because }, atMs: NOW_MS - 180_000 }),
      problem: null,
    });
    expect(text(panel)).toContain(`Unknown: ${because}.`);
    expect(text(panel)).toContain('seen 3 min ago, may have changed since');
    cleanup();
    const failed = { atMs: NOW_MS, problem: problem('gpu-tool-hangs', 'nvidia-smi hangs.') };
    const never = await open({ facts: null, problem: failed });
    expect(text(never.panel)).toContain('Unknown: nvidia-smi hangs.');
  });
});

const SHOWN = { id: '7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01', digest: 'd1' };
const HOLDER: GpuHolder = {
  bootId: null,
  pid: 77,
  startTicks: 500,
  nodes: [0],
  gpus: ['GPU-0'],
  user: 'root',
  mayBeEnded: true,
  state: 'S',
  command: 'python3 worker.py',
  ageS: 60,
  parentPid: 1,
  parentCommand: null,
  isListed: false,
  guard: null,
};

function lookOf(holders: readonly GpuHolder[], usedMiB = 30_720): ListedHolders {
  return {
    kind: 'known',
    atMs: NOW_MS,
    plan: { ...SHOWN, expiresAtMs: NOW_MS + 60_000 },
    way: 'fuser',
    holders,
    incomplete: null,
    cards: [{ index: 0, uuid: 'GPU-0', memoryUsedMiB: usedMiB, memoryTotalMiB: 81_920 }],
  };
}

describe('who holds GPU memory', () => {
  async function ask(look: Parameters<FakeBridge['answer']>[1]) {
    const opened = await open({ facts: facts(), problem: null });
    opened.bridge.answer('gpu-holders:look', look as never);
    await opened.user.click(within(opened.panel).getByRole('button', { name: /Find what holds/ }));
    const dialog = await screen.findByRole('dialog');
    await within(dialog).findByRole('button', { name: 'Check again' });
    return { ...opened, dialog };
  }

  it('lists every holder with what it is; nothing is chosen, and the safe button has the focus', async () => {
    const guarded = { ...HOLDER, pid: 9, guard: 'own-session' as const };
    const job = { ...HOLDER, pid: 78, isListed: true, parentPid: 70, parentCommand: 'sh run.sh' };
    const { dialog, bridge } = await ask(ok(lookOf([HOLDER, guarded, job])));
    expect(text(dialog)).toContain('GPU 0: 30.0 GiB in use');
    expect(text(dialog)).toContain('77 GPU 0 · root · 1 min · sleeping · not listed');
    expect(text(dialog)).toContain('parent gone: adopted by process 1');
    expect(text(dialog)).toContain('parent 70: sh run.sh');
    expect(text(dialog)).toContain('nvidia-smi lists it: probably a running job.');
    expect(within(dialog).getByRole('checkbox', { name: /^9 / })).toHaveProperty('disabled', true);
    expect(within(dialog).queryAllByRole('checkbox', { checked: true })).toEqual([]);
    expect(within(dialog).getByRole('button', { name: 'End…' })).toHaveProperty('disabled', true);
    expect(document.activeElement).toBe(
      within(dialog).getAllByRole('button', { name: 'Close' }).at(-1),
    );
    expect(bridge.callsTo('gpu-holders:end')).toEqual([]);
  });

  it('ends only what was named and confirmed, tells what became of it, and then offers KILL', async () => {
    const { dialog, bridge, user } = await ask(ok(lookOf([HOLDER, { ...HOLDER, pid: 78 }])));
    await user.click(within(dialog).getByRole('checkbox', { name: /^77 / }));
    await user.click(within(dialog).getByRole('button', { name: 'End 1 process…' }));
    expect(bridge.callsTo('gpu-holders:end')).toEqual([]);
    expect(document.activeElement?.textContent).toBe('Leave it alone');
    expect(text(within(dialog).getByRole('alert'))).toContain('77 python3 worker.py');
    bridge.answer(
      'gpu-holders:end',
      ok({
        signal: 'TERM',
        processes: [{ pid: 77, outcome: 'left', state: 'T' }],
        after: lookOf([HOLDER]),
      }),
    );
    await user.click(within(dialog).getByRole('button', { name: 'End 77' }));
    await within(dialog).findByText(/asked to end and did not/);
    expect(bridge.callsTo('gpu-holders:end')).toEqual([
      { boxId: BOX_ID, signal: 'TERM', plan: SHOWN, pids: [77] },
    ]);
    expect(text(dialog)).toContain('GPU 0: 30.0 GiB before, 30.0 GiB now');
    bridge.answer(
      'gpu-holders:end',
      ok({
        signal: 'KILL',
        processes: [{ pid: 77, outcome: 'ended', state: null }],
        after: lookOf([], 0),
      }),
    );
    await user.click(within(dialog).getByRole('button', { name: /KILL/ }));
    await user.click(within(dialog).getByRole('button', { name: 'Kill 77' }));
    await within(dialog).findByText('Ended.', { exact: false });
    expect(text(dialog)).toContain('GPU 0: 30.0 GiB before, 0.0 GiB now');
    expect(within(dialog).queryByRole('button', { name: /KILL/ })).toBeNull();
  });

  it('offers no KILL for what waits inside the driver', async () => {
    const { dialog, bridge, user } = await ask(ok(lookOf([HOLDER])));
    await user.click(within(dialog).getByRole('checkbox', { name: /^77 / }));
    await user.click(within(dialog).getByRole('button', { name: 'End 1 process…' }));
    const processes = [{ pid: 77, outcome: 'left', state: 'D' }] as const;
    bridge.answer('gpu-holders:end', ok({ signal: 'TERM', processes, after: null }));
    await user.click(within(dialog).getByRole('button', { name: 'End 77' }));
    await within(dialog).findByText(/no signal reaches it/);
    expect(text(dialog)).toContain('Whether the memory is free now is unknown');
    expect(within(dialog).queryByRole('button', { name: /KILL/ })).toBeNull();
  });

  it('says why nobody could look, and shows a refusal', async () => {
    const unknown: ListedHolders = {
      ...lookOf([]),
      ...{ kind: 'unknown', because: 'no tools', cards: [] },
    };
    const { dialog } = await ask(ok(unknown));
    expect(text(dialog)).toContain('Who holds it is unknown: no tools.');
    expect(within(dialog).queryByRole('button', { name: /^End/ })).toBeNull();
    cleanup();
    const refused = await ask(err(problem('not-connected', 'The box is not connected.')));
    expect(text(within(refused.dialog).getByRole('alert'))).toContain('is not connected');
  });
});
