import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { sampleGotcha } from '../../shared/gotchas/catalog.fixture.ts';
import type { Gotcha, Gotchas, OwnFile } from '../../shared/gotchas/gotcha.ts';
import { alertAt } from '../../shared/alerts/alert.fixture.ts';
import { problem } from '../../shared/problem.ts';
import { err, ok } from '../../shared/result.ts';
import type { FileFault } from '../../shared/yaml/file-fault.ts';
import { sampleEntry, SEEN_MS } from '../fleet/fleet-entry.fixture.ts';
import type { FakeBridge } from '../state/fake-bridge.fixture.ts';
import { useAlerts, useFleet } from '../state/feeds.ts';
import { useView } from '../state/view.ts';
import { openTestWindow } from '../test-window.fixture.ts';
import { watchCommands } from '../app/window-commands.ts';
import { allCleared } from './handbook-view.ts';
import { HandbookPage } from './handbook-page.tsx';

const U10 = sampleGotcha({
  id: 'U10',
  title: 'CUDA out of memory is about the card',
  theme: 'memory',
  signs: ['CUDA out of memory'],
  fix: ['Read free GPU memory before launching', 'Size the batch to fit'],
  probes: [
    { probe: 'nvidia-smi --query-gpu=memory.free', means: 'less free than needed' },
    { probe: 'log', means: 'match /CUDA out of memory/' },
  ],
  related: ['U9', 'RP1'],
  coverage: {
    done: [{ does: 'Notices a full card', module: 'src/a.ts', test: 'src/a.test.ts' }],
    shown: [],
    planned: ['schedulers', 'multi-node'],
  },
});
const U9 = sampleGotcha({
  id: 'U9',
  title: 'Workers hit the cgroup limit',
  severity: 'critical',
  symptom: 'The run ends with a bare word and no traceback.',
  signs: ['^Killed'],
});
const RP1 = sampleGotcha({
  id: 'RP1',
  title: 'A stopped Pod comes back without its card',
  scope: 'runpod',
  role: 'guard',
  verified: '2026-06',
  source: 'sources of profiles/runpod.yaml',
  doubt: 'Seen once.',
});
const LR3 = sampleGotcha({
  id: 'LR3',
  title: 'Domain changes break paths',
  scope: 'china',
  role: 'advice',
  severity: 'info',
  coverage: { done: [], shown: ['Handbook'], planned: [] },
});
const ALL = [RP1, LR3, U9, U10];
const U3 = sampleGotcha({
  id: 'U3',
  alert: {
    short: 'run gone',
    commands: [],
    says: {},
    phrases: {
      'failure-gpu-memory': 'CUDA out of memory',
      'answer-gpu-memory': 'Look who else holds the card.',
    },
  },
});

const ownFile = (id: string): OwnFile => ({
  file: `/own/${id}.yaml`,
  line: 3,
  digest: id.startsWith('OWN') ? 'digest-1' : null,
});

const stops: (() => void)[] = [];
afterEach(() => {
  cleanup();
  for (const stop of stops.splice(0)) stop();
  allCleared();
});

function Shown() {
  const page = useView((view) => view.page);
  return page.kind === 'handbook' ? <HandbookPage entry={page.entry} /> : null;
}

async function openHandbook(
  entry: string | null = null,
  gotchas: readonly Gotcha[] = ALL,
  faults: readonly FileFault[] = [],
): Promise<FakeBridge> {
  const bridge = openTestWindow();
  const catalog: Gotchas = {
    ownFolder: '/own',
    all: gotchas.map((gotcha) =>
      gotcha.id.startsWith('MY') || gotcha.id.startsWith('OWN')
        ? { gotcha, origin: 'own', own: ownFile(gotcha.id) }
        : { gotcha, origin: 'shipped', own: null },
    ),
    faults,
  };
  bridge.answer('gotchas:list', ok(catalog));
  stops.push(watchCommands(bridge));
  useView.setState({ page: { kind: 'handbook', entry } });
  render(<Shown />);
  await screen.findByRole('region', { name: 'Find an entry' });
  return bridge;
}

const rows = (): readonly string[] =>
  within(screen.getByRole('region', { name: 'Find an entry' }))
    .queryAllByRole('button')
    .filter((button) => button.dataset['roving'] !== undefined)
    .map((button) => button.dataset['roving'] ?? '');
const searchField = (): HTMLInputElement =>
  screen.getByRole<HTMLInputElement>('textbox', { name: 'Search, or paste an error or a log' });
const paste = (text: string): void => {
  fireEvent.paste(searchField(), { clipboardData: { getData: () => text } });
};

describe('the Handbook', () => {
  it('leads back to the boxes on which an entry is found now', async () => {
    await openHandbook('U10');
    expect(screen.queryByRole('region', { name: 'Found now' })).toBeNull();
    const entry = sampleEntry({}, { name: 'train-a' });
    const boxId = entry.box.id;
    const alerts = [alertAt(SEEN_MS, { detector: 'U10' }), alertAt(SEEN_MS, { detector: 'U23' })];
    act(() => {
      useFleet.setState({ kind: 'live', state: { entries: [entry] } }, true);
      useAlerts.setState({ kind: 'live', state: { boxes: { [boxId]: alerts } } }, true);
    });
    const found = within(screen.getByRole('region', { name: 'Found now' }));
    await userEvent
      .setup()
      .click(found.getByRole('button', { name: /Warning:\s*train-a\s*, GPU 0/ }));
    expect(useView.getState().page).toEqual({ kind: 'box', boxId, tab: 'alerts' });
  });

  it('lists every entry by where it can happen, advice too, and asks for the catalog once', async () => {
    const bridge = await openHandbook();
    expect(rows()).toEqual(['U9', 'U10', 'RP1', 'LR3']);
    expect(screen.getByRole('region', { name: 'RunPod' })).toBeDefined();
    expect(screen.getByRole('status').textContent).toBe('All 4 entries');
    cleanup();
    render(<Shown />);
    expect(rows()).toHaveLength(4);
    expect(bridge.callsTo('gotchas:list')).toHaveLength(1);
  });

  it('shows an entry with its steps, commands, doings, doubt, month and source', async () => {
    await openHandbook('U10');
    const entry = within(screen.getByRole('article', { name: U10.title }));
    expect(entry.getAllByRole('listitem').map((each) => each.textContent)).toEqual(
      expect.arrayContaining(['Read free GPU memory before launching', 'Size the batch to fit']),
    );
    expect(entry.getByText('nvidia-smi --query-gpu=memory.free')).toBeDefined();
    expect(entry.getByText('In the run’s log')).toBeDefined();
    expect(entry.getAllByRole('button', { name: 'Copy' })).toHaveLength(1);
    expect(entry.getByText('Notices a full card.')).toBeDefined();
    expect(entry.getByText('More of it comes with schedulers and multi-node.')).toBeDefined();
    expect(entry.getByText('Applies to any machine · undated')).toBeDefined();
    act(() => useView.setState({ page: { kind: 'handbook', entry: 'RP1' } }));
    expect(screen.getByText('Seen once.')).toBeDefined();
    expect(screen.getByText('Verified 2026-06; sources of profiles/runpod.yaml.')).toBeDefined();
    expect(screen.getByText('Nothing yet: it comes with schedulers.')).toBeDefined();
  });

  it('says of an entry of the person’s own that it is theirs', async () => {
    await openHandbook('MY-1', [sampleGotcha({ id: 'MY-1', coverage: null })]);
    expect(screen.getByText('Nothing: this entry is your own.')).toBeDefined();
    expect(screen.getByText(/written by hand: edit it in its file$/)).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Edit…' })).toBeNull();
  });

  it('follows the links between entries, also twice to the same one', async () => {
    await openHandbook('U10');
    for (let time = 0; time < 2; time += 1) {
      const link = screen.getByRole<HTMLAnchorElement>('link', { name: /Workers hit/ });
      expect(link.getAttribute('href')).toBe('#U9');
      act(() => {
        window.location.hash = '#U9';
        window.dispatchEvent(new HashChangeEvent('hashchange'));
      });
      expect(screen.getByRole('article', { name: U9.title })).toBeDefined();
      expect(window.location.hash).toBe('');
      act(() => useView.setState({ page: { kind: 'handbook', entry: 'U10' } }));
    }
  });

  it('says that there is no such entry, and takes no other address for one', async () => {
    await openHandbook('U99');
    expect(screen.getByRole('heading', { name: 'There is no entry U99' })).toBeDefined();
    const page = useView.getState().page;
    for (const hash of ['#', '#<img>', '#two words', `#${'A'.repeat(80)}`]) {
      window.location.hash = hash;
      window.dispatchEvent(new HashChangeEvent('hashchange'));
      expect(useView.getState().page).toBe(page);
    }
  });
});

describe('searching the Handbook', () => {
  it('ranks by words, opens the best with Enter, and is emptied with Escape', async () => {
    await openHandbook();
    const user = userEvent.setup();
    await user.keyboard('/');
    expect(document.activeElement).toBe(searchField());
    await user.keyboard('stopped pod');
    expect(rows()[0]).toBe('RP1');
    await user.keyboard('{Enter}');
    expect(screen.getByRole('article', { name: RP1.title })).toBeDefined();
    await user.keyboard('{Escape}');
    expect(searchField().value).toBe('');
    expect(rows()).toHaveLength(4);
  });

  it('goes along the list with the arrows', async () => {
    await openHandbook();
    const user = userEvent.setup();
    await user.click(searchField());
    await user.keyboard('{ArrowDown}{ArrowDown}{Enter}');
    expect(screen.getByRole('article', { name: U10.title })).toBeDefined();
    const current = screen.getByRole('button', { current: true });
    expect(current.dataset['roving']).toBe('U10');
    expect(current.tabIndex).toBe(0);
  });

  it('takes a pasted log for one, shows what its sign was, and drops what has none', async () => {
    await openHandbook();
    paste('epoch 4\nloss 2.1\nRuntimeError: CUDA out of memory.\n\u202eevil \u001b[31mend');
    expect(searchField().value).toBe('');
    const first = screen.getByRole('region', { name: 'What this text shows' });
    expect(within(first).getAllByRole('button')).toHaveLength(1);
    expect(first.textContent).toContain('RuntimeError: CUDA out of memory.');
    const about = screen.getByText('Pasted text, 4 lines, ends with').parentElement;
    expect(about?.textContent).not.toMatch(/[\u202e\u001b]/);
    expect(about?.textContent).toContain('evil');
    await userEvent.setup().click(screen.getByRole('button', { name: 'Clear' }));
    expect(rows()).toHaveLength(4);
  });

  it('says first what a pasted log looks like and what to do, or that it cannot be told', async () => {
    await openHandbook(null, [...ALL, U3]);
    paste('epoch 4\nloss 2.1\nRuntimeError: CUDA out of memory.');
    const note = screen.getByText('CUDA out of memory').closest('div');
    expect(note?.textContent).toContain('Look who else holds the card');
    expect(within(note!).getByRole('link', { name: /^More: [^U]/ })).toBeDefined();
    paste('epoch 4\nloss 2.1');
    expect(screen.getByText(/^What ended it cannot be told: its end shows no error/)).toBeDefined();
    paste('queue: cell 4\nexit status 0\u202e');
    expect(screen.getByText('It ended well: exit status 0')).toBeDefined();
  });

  it('leaves a short paste in the field, and keeps of megabytes what is read of them', async () => {
    await openHandbook();
    paste('CUDA out of memory');
    expect(screen.queryByText(/Pasted text/)).toBeNull();
    paste(`${'loss 2.1\n'.repeat(300_000)}RuntimeError: CUDA out of memory`);
    expect(rows()[0]).toBe('U10');
    expect(screen.getByText(/^Pasted text, 300.?001 lines, ends with$/)).toBeDefined();
    expect(screen.getByRole('status').textContent).toContain('its beginning and its end were read');
  });

  it('narrows by severity, kind, place and what is handled, and says when nothing is left', async () => {
    await openHandbook();
    const user = userEvent.setup();
    await user.click(screen.getByRole('button', { name: 'Critical' }));
    expect(rows()).toEqual(['U9']);
    await user.click(screen.getByRole('button', { name: 'Critical' }));
    await user.selectOptions(screen.getByRole('combobox', { name: 'Where' }), 'RunPod');
    expect(rows()).toEqual(['RP1']);
    expect(screen.getByRole('status').textContent).toBe('1 of 4 entries');
    await user.selectOptions(screen.getByRole('combobox', { name: 'What for' }), 'Advice');
    expect(screen.getByRole('heading', { name: 'Nothing fits' })).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Show all' }));
    await user.click(screen.getByRole('button', { name: 'Handled by Leasehold' }));
    expect(rows()).toEqual(['U10']);
  });
});

describe('around the Handbook', () => {
  it('prints the entry that is open, through main', async () => {
    const bridge = await openHandbook();
    const print = screen.getByRole<HTMLButtonElement>('button', { name: 'Print' });
    expect(print.disabled).toBe(true);
    act(() => useView.setState({ page: { kind: 'handbook', entry: 'U9' } }));
    await userEvent.setup().click(print);
    expect(bridge.callsTo('app:print')).toEqual([{}]);
  });

  it('opens by its shortcut and by main’s menu', async () => {
    const bridge = await openHandbook();
    act(() => useView.setState({ page: { kind: 'fleet' } }));
    await userEvent.setup().keyboard('{F1}');
    expect(useView.getState().page).toEqual({ kind: 'handbook', entry: null });
    act(() => useView.setState({ page: { kind: 'fleet' } }));
    act(() => bridge.command({ kind: 'open-handbook' }));
    expect(useView.getState().page).toEqual({ kind: 'handbook', entry: null });
  });

  it('names the files of the person’s own that could not be used', async () => {
    const fault = { file: '/own/a.yaml', line: 3, message: 'is wrong', fix: 'Mend it.' };
    await openHandbook(null, ALL, [fault]);
    expect(screen.getByText('1 problem in your own entries')).toBeDefined();
    expect(screen.getByText('/own/a.yaml:3').parentElement?.textContent).toContain(
      'is wrong. Mend it.',
    );
  });

  it('says why there is none, and tries again', async () => {
    const bridge = openTestWindow();
    bridge.answer('gotchas:list', err(problem('internal', 'The catalog is gone.')));
    useView.setState({ page: { kind: 'handbook', entry: null } });
    render(<Shown />);
    expect(await screen.findByText('The catalog is gone.')).toBeDefined();
    bridge.answer('gotchas:list', ok({ ownFolder: '/own', all: [], faults: [] }));
    await userEvent.setup().click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { name: 'Nothing fits' })).toBeDefined();
  });
});
