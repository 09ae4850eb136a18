import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { problem } from '../../../../shared/problem.ts';
import { planRefOf } from '../../../../shared/plan/plan.ts';
import { err, ok } from '../../../../shared/result.ts';
import type { Rehearsed } from '../../../../shared/runs/request/rehearsal.ts';
import { paletteActions } from '../../../app/palette-actions.tsx';
import { sampleEntry } from '../../../fleet/fleet-entry.fixture.ts';
import type { FakeBridge } from '../../../state/fake-bridge.fixture.ts';
import { useFleet } from '../../../state/feeds.ts';
import { createStreamClient } from '../../../state/stream-client.ts';
import { StreamProvider } from '../../../state/stream-context.ts';
import { useView } from '../../../state/view.ts';
import { openTestWindow } from '../../../test-window.fixture.ts';
import { BoxHeader } from '../../box-header.tsx';
import { LaunchButton } from './launch-button.tsx';
import { LaunchDialog } from './launch-dialog.tsx';
import { useLaunchView } from './launch-view.ts';
import { NOW_MS, samplePlan, sampleRun } from './launch.fixture.ts';

const ENTRY = sampleEntry({}, { name: 'train-a' });
const DOWN = { ...ENTRY, link: { kind: 'idle' } as const };
const boxId = ENTRY.box.id;
const PLAN = samplePlan();

let bridge: FakeBridge;
let onClose: ReturnType<typeof vi.fn<() => void>>;
const user = userEvent.setup({ delay: null });
beforeEach(() => {
  vi.useFakeTimers({ now: NOW_MS, toFake: ['Date'] });
  bridge = openTestWindow([ENTRY]);
  onClose = vi.fn();
  useLaunchView.setState({}, true);
  useFleet.setState({ kind: 'live', state: { entries: [ENTRY] } }, true);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});
const open = (isQueue = false) =>
  render(
    <StreamProvider value={createStreamClient(bridge)}>
      <LaunchDialog boxId={boxId} isQueue={isQueue} isFromFile={false} onClose={onClose} />
    </StreamProvider>,
  );
const plain = (): string => document.body.textContent.replace(/[\u202f\u00a0]/g, ' ');
const click = (name: string | RegExp) => user.click(screen.getByRole('button', { name }));
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);

/** Where typing is not what the test is about: each key would draw the whole form anew. */
async function paste(name: string, text: string): Promise<void> {
  await user.click(field(name));
  await user.paste(text);
}
async function fill(): Promise<void> {
  await paste('Name', 'baseline');
  await paste('Folder on the box', '~/work');
  await paste('Command', 'python train.py');
}
async function openPlan(plan = PLAN): Promise<void> {
  bridge.answer('runs:plan', ok(plan));
  open();
  await fill();
  await click('Show plan');
  await screen.findByRole('region', { name: 'Checks' });
}

describe('the form of a launch', () => {
  it('shows what a progress line of the person’s own reads, and sends it', async () => {
    bridge.answer('runs:plan', ok(PLAN));
    open();
    await fill();
    await user.click(screen.getByText('GPUs, secrets, time and more'));
    expect(field('Progress lines').value).toBe('');
    await user.click(field('Try a line of your log'));
    await user.paste('[09:00] step  120/1000 loss=0.42');
    expect(plain()).toContain('No progress line to try.');
    await user.click(field('Progress lines'));
    await user.paste('loss={Loss}');
    await user.tab();
    await vi.waitFor(() => expect(plain()).toContain('Line 1: “{Loss}” is no placeholder.'));
    await user.clear(field('Progress lines'));
    await user.click(field('Progress lines'));
    await user.paste('iter {step}\nstep {step}/{total} loss={loss}');
    expect(plain()).toContain('Reads step 120 of 1000, loss 0.42.');
    await user.type(field('Try a line of your log'), 'k');
    expect(plain()).toContain('Does not fit.');
    await click('Show plan');
    await screen.findByRole('region', { name: 'Checks' });
    expect(bridge.callsTo('runs:plan')).toMatchObject([
      { request: { progress: ['iter {step}', 'step {step}/{total} loss={loss}'] } },
    ]);
  });

  it('takes what the run needs of a box, and leads to what is wrong with it', async () => {
    bridge.answer('runs:plan', ok(PLAN));
    open();
    await fill();
    await user.click(screen.getByText('GPUs, secrets, time and more'));
    await paste('Model', 'A100, H100');
    await paste('Secrets', 'API_KEY=hunter2');
    await user.selectOptions(screen.getByLabelText('Tracker'), 'wandb');
    await click('Show plan');
    await vi.waitFor(() => expect(document.activeElement).toBe(field('Secrets')));
    expect(plain()).toContain('is the name of a variable: no value');
    expect(bridge.callsTo('runs:plan')).toEqual([]);
    await user.clear(field('Secrets'));
    await paste('Secrets', 'API_KEY');
    await user.click(screen.getByLabelText('Use the platform’s proxy, mirrors and cache folders'));
    await click('Show plan');
    await screen.findByRole('region', { name: 'Checks' });
    expect(bridge.callsTo('runs:plan')).toMatchObject([
      {
        request: {
          gpus: { names: ['A100', 'H100'] },
          secrets: ['API_KEY'],
          tracker: 'wandb',
          profile: false,
        },
      },
    ]);
  });

  it('stays open where somebody deletes what stands in a part of it', async () => {
    open();
    await user.click(screen.getByText('Data, disk, smoke command and copy of the results'));
    await paste('Smoke command', 'python train.py --max-steps 2');
    await user.clear(field('Smoke command'));
    expect(field('Smoke command').closest('details')?.open).toBe(true);
  });

  it('asks main for a plan of what was typed, by the keyboard', async () => {
    bridge.answer('runs:plan', ok(PLAN));
    open();
    expect(document.activeElement).toBe(field('Name'));
    await user.keyboard('baseline');
    await user.type(field('Folder on the box'), '~/work');
    await user.type(field('Command'), 'python train.py');
    await user.type(field('Run before it'), 'source .venv/bin/activate');
    await user.type(field('Environment'), 'LR=0.1{Enter}SEED=7');
    await user.type(field('Results folder'), 'out');
    await user.type(field('Succeeded when the log says'), 'finished');
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(bridge.callsTo('runs:plan')).toEqual([
      {
        boxId,
        queue: null,
        request: {
          name: 'baseline',
          command: 'python train.py',
          folder: '~/work',
          activate: 'source .venv/bin/activate',
          env: { LR: '0.1', SEED: '7' },
          results: 'out',
          successLine: 'finished',
        },
      },
    ]);
    expect(bridge.callsTo('runs:launch')).toEqual([]);
  });

  it('shows a plan from its beginning, however far down in the form it was asked for', async () => {
    bridge.answer('runs:plan', ok(PLAN));
    open();
    await fill();
    const dialog = screen.getByRole('dialog');
    dialog.scrollTop = 700;
    await click('Show plan');
    await screen.findByRole('heading', { name: 'What runs' });
    expect(dialog.scrollTop).toBe(0);
  });

  it('says what is wrong beside each field, leads to the first of them, and asks nobody', async () => {
    open();
    expect(plain()).not.toContain('Enter a name.');
    await user.type(field('Folder on the box'), 'work');
    expect(plain()).not.toContain('Start the path');
    await user.tab();
    expect(field('Folder on the box').getAttribute('aria-invalid')).toBe('true');
    expect(plain()).toContain('Start the path with / or ~/.');
    await user.type(field('Environment'), 'A');
    await click('Show plan');
    expect(plain()).toContain('Enter a name.');
    expect(plain()).toContain('Enter the command to run.');
    expect(plain()).toContain('Line 1: write it as NAME=value.');
    expect(document.activeElement).toBe(field('Name'));
    expect(bridge.callsTo('runs:plan')).toEqual([]);
  });

  it('warns of secrets, leads to where they are sent, and remembers what was typed', async () => {
    open();
    expect(plain()).toContain('written into a file on the box');
    await user.type(field('Name'), 'baseline');
    await paste('Environment', 'WANDB_API_KEY=x');
    expect(plain()).toContain('WANDB_API_KEY looks like a secret.');
    await click('Send a secret…');
    expect(useView.getState().overlay).toEqual({ kind: 'send-secret', boxId });
    cleanup();
    open();
    expect(field('Name').value).toBe('baseline');
    expect(field('Environment').value).toBe('WANDB_API_KEY=x');
  });

  it('shows why there is no plan, in place', async () => {
    bridge.answer('runs:plan', err(problem('not-connected', 'The box is not connected.')));
    open();
    await fill();
    await click('Show plan');
    expect((await screen.findByRole('alert')).textContent).toContain('The box is not connected.');
    expect(field('Command').value).toBe('python train.py');
  });

  it('waits for the connection, and says so', async () => {
    useFleet.setState({ kind: 'live', state: { entries: [DOWN] } }, true);
    open();
    await fill();
    expect(button('Show plan').disabled).toBe(true);
    expect(button('Show plan').title).toBe('Connect to the box first');
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(bridge.callsTo('runs:plan')).toEqual([]);
    cleanup();
    render(<LaunchButton entry={DOWN} />);
    expect(button('Launch…').disabled).toBe(true);
    expect(button('Launch…').title).toBe('Connect to the box first');
    cleanup();
    render(<LaunchButton entry={ENTRY} />);
    await click('Launch…');
    expect(useView.getState().overlay).toEqual({ kind: 'launch', boxId });
  });
});

describe('the ways to a launch', () => {
  const NAME = 'Launch…';

  it('are in the palette for a box that is connected', () => {
    const action = paletteActions(ENTRY, 0).find(({ label }) => label === NAME);
    expect(action?.hint).toBe('train-a');
    action?.run();
    expect(useView.getState().overlay).toEqual({ kind: 'launch', boxId });
    expect(paletteActions(DOWN, 0).some(({ label }) => label === NAME)).toBe(false);
  });

  it('leave no queue behind that was asked for and got no cell', async () => {
    const later = paletteActions(ENTRY, 0).find(({ label }) => label === 'Launch later: a queue…');
    later?.run();
    expect(useView.getState().overlay).toEqual({ kind: 'launch', boxId, isQueue: true });
    const isQueueOn = () =>
      screen.getByRole<HTMLInputElement>('radio', { name: 'A queue of cells' }).checked;
    open(true);
    expect(isQueueOn()).toBe(true);
    await paste('Name', 'baseline');
    cleanup();
    open();
    expect(isQueueOn()).toBe(false);
    expect(field('Name').value).toBe('baseline');
    cleanup();
    open(true);
    await paste('Cells', 'python train.py --seed 1');
    cleanup();
    open();
    expect(isQueueOn()).toBe(true);
    cleanup();
    open(true);
    await user.click(screen.getByText('One command'));
    expect(isQueueOn()).toBe(false);
  });

  it('are in the header of the box, and say why where they do not lead there', async () => {
    const header = async (entry: typeof ENTRY | typeof DOWN): Promise<HTMLButtonElement> => {
      const client = createStreamClient(bridge);
      await act(async () => {
        render(
          <StreamProvider value={client}>
            <BoxHeader entry={entry} />
          </StreamProvider>,
        );
        await Promise.resolve();
      });
      return button('Launch…');
    };
    const down = await header(DOWN);
    expect([down.disabled, down.title]).toEqual([true, 'Connect to the box first']);
    cleanup();
    await user.click(await header(ENTRY));
    expect(useView.getState().overlay).toEqual({ kind: 'launch', boxId });
  });
});

describe('the plan of a launch', () => {
  it('shows all that a launch does, the worst checks first', async () => {
    await openPlan();
    const checks = within(screen.getByRole('region', { name: 'Checks' }));
    const lines = checks.getAllByRole('listitem', { hidden: true });
    expect(lines.map((line) => line.dataset['answer'])).toEqual(['warn', 'unknown', 'pass']);
    expect(lines[0]?.querySelector('svg')?.dataset['tone']).toBe('warn');
    expect(lines[0]?.textContent).toContain('WarningGPU is freeProcess 41 holds 20 GiB of it.');
    expect(checks.getByRole('link').getAttribute('href')).toBe('#U11');
    expect(plain()).toContain('1 warning · 1 unknown');
    for (const words of [
      PLAN.startLine,
      PLAN.folder,
      PLAN.byHand,
      'run.sh',
      '#!/bin/sh\n#!/bin/sh',
      'In a tmux session',
      'it exits with code 0',
    ]) {
      expect(plain()).toContain(words);
    }
    expect(plain()).not.toContain('crontab');
    expect(document.activeElement).toBe(button('Back'));
    await click('Back');
    expect(field('Name').value).toBe('baseline');
    expect(bridge.callsTo('runs:launch')).toEqual([]);
  });

  it('shows the line of the crontab that starts a queue again, and that is off at first', async () => {
    const line = '@reboot f=/home/me/reboot.sh; exec sh "$f"';
    bridge.answer('runs:plan', ok(samplePlan({ reboot: line })));
    open();
    await paste('Name', 'grid');
    await paste('Folder on the box', '~/work');
    await user.click(screen.getByText('A queue of cells'));
    await paste('Cells', 'a: python a.py');
    const toggle = screen.getByRole('switch', { name: 'Start again after a restart of the box' });
    expect(toggle).toHaveProperty('checked', false);
    await user.click(toggle);
    await click('Show plan');
    const part = await screen.findByRole('region', {
      name: 'How it starts again after a restart',
    });
    expect(part.textContent).toContain(line);
    expect(part.textContent).toContain('first line of your crontab');
    expect(bridge.callsTo('runs:plan')).toMatchObject([{ queue: { startsAgain: true } }]);
  });

  it('copies the results of the cells of a queue once each has a folder of its own', async () => {
    bridge.answer('runs:plan', ok(samplePlan()));
    open();
    await paste('Name', 'grid');
    await paste('Folder on the box', '~/work');
    await user.click(screen.getByText('A queue of cells'));
    await paste('Cells', 'a: python a.py');
    await paste('Copy results to', 'durable');
    await paste('Results folder', 'out');
    await click('Show plan');
    expect(document.activeElement).toBe(field('Results folder'));
    expect(document.body.textContent).toContain('Write {cell} into the results folder');
    expect(bridge.callsTo('runs:plan')).toEqual([]);
    await user.type(field('Results folder'), '/{{cell}');
    await click('Show plan');
    expect(bridge.callsTo('runs:plan')).toMatchObject([
      { request: { results: 'out/{cell}', copy: { to: 'durable', prune: [] } } },
    ]);
  });

  it('launches exactly that, and leads to the run', async () => {
    await openPlan();
    const runs = { atMs: NOW_MS, runs: [sampleRun()], leftOut: 0, problem: null };
    bridge.answer('runs:launch', ok(runs));
    await click('Launch');
    const { id, digest } = PLAN.plan;
    expect(bridge.callsTo('runs:launch')).toEqual([
      { boxId, plan: { id, digest }, overridden: [] },
    ]);
    expect(useView.getState().page).toEqual({ kind: 'box', boxId, tab: 'runs' });
    expect(useView.getState().overlay).toEqual({ kind: 'none' });
    expect(useLaunchView.getState()[boxId]).toMatchObject({ opened: PLAN.runId, answer: runs });
  });

  it('launches once where that is clicked twice', async () => {
    await openPlan();
    const launch = button('Launch');
    for (const detail of [1, 2]) fireEvent.click(launch, { detail });
    expect(bridge.callsTo('runs:launch')).toHaveLength(1);
    expect(button('Launching…').disabled).toBe(true);
    await act(async () => Promise.resolve());
  });

  it('does not launch while a check blocks it, and says why', async () => {
    const blocked = samplePlan({
      checks: [
        ...PLAN.checks,
        {
          id: 'f',
          title: 'Folder',
          answer: 'block',
          says: 'Read-only.',
          gotcha: null,
          anyway: null,
        },
      ],
    });
    await openPlan(blocked);
    expect(screen.getAllByRole('listitem')[0]?.dataset['answer']).toBe('block');
    expect(button('Launch').disabled).toBe(true);
    expect(button('Launch').title).toContain('1 check blocks the launch.');
    bridge.answer('runs:plan', ok(PLAN));
    await click('Plan again');
    expect(bridge.callsTo('runs:plan')).toHaveLength(2);
    expect(bridge.callsTo('runs:plan')[1]).toEqual({
      boxId,
      queue: null,
      request: blocked.request,
    });
    await screen.findByRole('region', { name: 'Checks' });
    expect(button('Launch').disabled).toBe(false);
  });

  it('runs the rehearsal here where it has not passed, shows what it prints, and plans again once it has', async () => {
    const rehearsal = {
      ...{ id: 'rehearsal', title: 'Rehearsal on this computer', answer: 'block' as const },
      ...{ says: 'Has not passed.', gotcha: 'GEN5', anyway: 'it is found on the box.' },
    };
    await openPlan(samplePlan({ checks: [...PLAN.checks, rehearsal] }));
    let answer: (rehearsed: Rehearsed) => void = () => undefined;
    const running = (): void =>
      bridge.answer(
        'runs:rehearse',
        new Promise((resolve) => (answer = (rehearsed) => resolve(ok(rehearsed)))),
      );
    running();
    bridge.answer('runs:stop-rehearsal', ok(null));
    await click('Run it on this computer…');
    expect(bridge.callsTo('runs:rehearse')).toEqual([{ boxId, plan: planRefOf(PLAN.plan) }]);
    await vi.waitFor(() => {
      const value = { text: 'collected 3 items\n', isCut: false };
      act(() => bridge.publish('rehearsals', [{ boxId, value }]));
      expect(screen.queryByLabelText('Output of the rehearsal')).not.toBeNull();
    });
    expect((await screen.findByLabelText('Output of the rehearsal')).textContent).toContain(
      'collected 3 items',
    );
    await click('Cancel rehearsal');
    expect(bridge.callsTo('runs:stop-rehearsal')).toEqual([{ boxId }]);
    answer({ end: { kind: 'failed', exitCode: 2 }, output: { text: '1 failed', isCut: true } });
    await screen.findByText('Failed (exit 2).');
    expect(screen.getByLabelText('Output of the rehearsal').textContent).toBe('…\n1 failed');
    expect(bridge.callsTo('runs:plan')).toHaveLength(1);
    running();
    await click('Run it again…');
    bridge.answer('runs:plan', ok(samplePlan({ checks: [{ ...rehearsal, answer: 'pass' }] })));
    answer({ end: { kind: 'passed' }, output: { text: '', isCut: false } });
    await screen.findByText('1 check passed');
    expect(bridge.callsTo('runs:plan')).toHaveLength(2);
    expect(screen.queryByText('Run it on this computer…')).toBeNull();
  });

  it('launches over what the person chose, one by one, and over nothing that cannot be', async () => {
    const check = (id: string, anyway: string | null) =>
      ({ id, title: `Check ${id}`, answer: 'block', says: 'No.', gotcha: null, anyway }) as const;
    const blocks = [check('gpus', 'it may fail.'), check('torch', 'it uses the CPU.')];
    await openPlan(samplePlan({ checks: [...PLAN.checks, ...blocks] }));
    const box = (name: RegExp) => screen.getByRole<HTMLInputElement>('checkbox', { name });
    const gpus = box(/Launch anyway: it may fail/);
    expect(document.getElementById(gpus.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      'Check gpus',
    );
    expect(button('Launch').title).toContain('2 checks block the launch. Fix them and');
    gpus.focus();
    await user.keyboard(' ');
    expect(button('Launch').title).toContain('1 check blocks the launch.');
    await user.click(box(/uses the CPU/));
    await user.click(gpus);
    expect(button('Launch').disabled).toBe(true);
    await user.click(gpus);
    expect(button('Launch').disabled).toBe(false);
    bridge.answer('runs:launch', ok({ atMs: NOW_MS, runs: [], leftOut: 0, problem: null }));
    await click('Launch');
    const { id, digest } = PLAN.plan;
    expect(bridge.callsTo('runs:launch')).toEqual([
      { boxId, plan: { id, digest }, overridden: ['torch', 'gpus'] },
    ]);
    cleanup();
    await openPlan(samplePlan({ checks: [check('folder', null), ...blocks] }));
    for (const each of screen.getAllByRole('checkbox')) await user.click(each);
    expect(screen.getAllByRole('checkbox')).toHaveLength(2);
    expect(button('Launch').disabled).toBe(true);
    expect(button('Launch').title).toBe('1 check blocks the launch. Fix it, then plan again.');
  });

  it('says how long sending and fetching take before it, as far as that is known', async () => {
    const { outlook, request } = PLAN;
    await openPlan();
    expect(plain()).not.toContain('Time to');
    cleanup();
    const fetch = [{ into: 'data', run: 'wget -q x' }];
    await openPlan(
      samplePlan({ request: { ...request, fetch }, outlook: { ...outlook, sending: null } }),
    );
    expect(plain()).toContain('Time to sendnot known: no push to this box was large enough');
    expect(plain()).toContain('Time to fetchnot known: how much there is to fetch');
    cleanup();
    const sending = { pushes: 2, ms: [8000, 24_000], bytesPerS: [1e6, 3e6], cost: null } as const;
    await openPlan(samplePlan({ outlook: { ...outlook, sending } }));
    expect(plain()).toContain(
      'Time to send8 s to 24 s, by 2 earlier pushes to this box (1.0 to 3.0 MB/s)',
    );
  });

  it('says what it costs and how sure that is, where it all lies, and what the platform adds', async () => {
    const { outlook } = PLAN;
    await openPlan();
    expect(plain()).toContain('price not read; how long it will run is not known');
    cleanup();
    const money = (micros: number) => ({ money: [{ micros, currency: 'USD' }], isPartly: true });
    const path = '/workspace/out';
    await openPlan(
      samplePlan({
        outlook: {
          ...outlook,
          lands: [{ what: 'Results', path, stays: 'volume disk: survives a stop' }],
          ...{ hours: 6, perHour: money(2_000_000), whole: money(12_000_000) },
          settings: {
            of: 'RunPod',
            used: [{ name: 'HF_HOME', what: 'Models are kept in /x', line: 'true', probe: null }],
            unused: [{ name: 'DETACH', because: 'A launch looks for tmux itself.' }],
          },
        },
      }),
    );
    expect(plain()).toContain(
      'at least $12.00 for the 6 h that you expect; each extra hour costs at least $2.00',
    );
    const where = within(screen.getByRole('region', { name: 'Where it is stored' }));
    expect(where.getByText(path)).toBeTruthy();
    expect(where.getByText('volume disk: survives a stop')).toBeTruthy();
    const profile = within(screen.getByRole('region', { name: 'From the profile of RunPod' }));
    expect(profile.getByText('Models are kept in /x')).toBeTruthy();
    expect(profile.getByText(/A launch looks for tmux itself/).textContent).toContain('DETACH');
  });

  it('offers the way where a secret of the run is not on the box', async () => {
    const missing = {
      id: 'secrets',
      title: 'Secrets',
      answer: 'block',
      says: 'API_KEY is not on the box.',
      gotcha: 'U34',
      anyway: 'the run ends at once.',
    } as const;
    await openPlan(samplePlan({ checks: [missing] }));
    const checks = within(screen.getByRole('region', { name: 'Checks' }));
    await user.click(checks.getByRole('button', { name: 'Send a secret…' }));
    expect(useView.getState().overlay).toEqual({ kind: 'send-secret', boxId });
  });

  it('wants a new plan once this one is too old', async () => {
    vi.useFakeTimers({ now: NOW_MS, toFake: ['Date', 'setInterval', 'clearInterval'] });
    await openPlan();
    expect(button('Launch').disabled).toBe(false);
    act(() => void vi.advanceTimersByTime(601_000));
    await vi.waitFor(() => expect(button('Launch').disabled).toBe(true));
    expect(plain()).toContain('This plan is too old');
    expect(button('Plan again').disabled).toBe(false);
  });

  it('shows why nothing was launched, and does not try the same plan again', async () => {
    await openPlan();
    bridge.answer('runs:launch', err(problem('plan-changed', 'The box has changed since.')));
    await click('Launch');
    expect((await screen.findByRole('alert')).textContent).toContain('The box has changed since.');
    expect(button('Launch').disabled).toBe(true);
    expect(useLaunchView.getState()[boxId]?.opened).toBeNull();
    await click('Plan again');
    await vi.waitFor(() => expect(button('Launch').disabled).toBe(false));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('says that it launches, and takes nobody along who has gone elsewhere', async () => {
    await openPlan();
    let answered: (answer: ReturnType<typeof ok<never>>) => void = () => undefined;
    bridge.answer('runs:launch', new Promise((resolve) => (answered = resolve)) as never);
    await click('Launch');
    expect(screen.getByText(/^Launching: writing the files/)).toBeDefined();
    expect(button('Launching…').disabled).toBe(true);
    expect(button('Back').disabled).toBe(true);
    cleanup();
    await act(async () => {
      answered(ok({ atMs: NOW_MS, runs: [], leftOut: 0, problem: null } as never));
      await Promise.resolve();
    });
    expect(useLaunchView.getState()[boxId]?.opened).toBeNull();
    expect(useView.getState().page.kind).toBe('start');
  });
});
