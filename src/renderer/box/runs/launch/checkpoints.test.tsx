import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { problem, type Problem } from '../../../../shared/problem.ts';
import { err, ok, type Result } from '../../../../shared/result.ts';
import type { FixedEnd, Interruptions } from '../../../../shared/runs/checkpoints/interruptions.ts';
import type { LaunchedRun, ResultFile } from '../../../../shared/runs/launch/launched-run.ts';
import { openTestWindow } from '../../../test-window.fixture.ts';
import { enteredMs, heldWords } from './checkpoint-words.ts';
import { CheckpointsSection } from './checkpoints-section.tsx';
import { NOW_MS, sampleRun } from './launch.fixture.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const RUN = sampleRun();
const user = userEvent.setup({ delay: null });
beforeEach(() => {
  vi.useFakeTimers({ now: NOW_MS, toFake: ['Date'] });
  openTestWindow([]);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const plain = (): string => document.body.textContent.replace(/[\u202f\u00a0]/g, ' ');
const file = (path: string, agoMs: number, bytes = 2e9): ResultFile => ({
  path,
  bytes,
  modifiedAtMs: NOW_MS - agoMs,
});
/** Folders of two files, one written 30 s after the other, every 5 minutes. */
const folders = (newestAgoMs: number): readonly ResultFile[] =>
  [0, 1, 2, 3].flatMap((at) => [
    file(`checkpoint-${400 - at * 100}/model.safetensors`, newestAgoMs + at * 5 * MINUTE + 30_000),
    file(`checkpoint-${400 - at * 100}/optimizer.pt`, newestAgoMs + at * 5 * MINUTE),
  ]);
const known = (count: number, hours: number, fixedEnd: FixedEnd | null = null): Interruptions => ({
  count,
  watchedMs: hours * HOUR,
  fixedEnd,
});

function show(
  files: readonly ResultFile[],
  part: {
    readonly run?: LaunchedRun;
    readonly told?: Result<Interruptions, Problem> | null;
    readonly isCut?: boolean;
  } = {},
): void {
  const { run = RUN, told = ok(known(0, 1)), isCut = false } = part;
  render(
    <CheckpointsSection
      list={{
        atMs: NOW_MS,
        folder: '/o',
        files,
        others: [],
        grainMs: 50,
        tellsWrites: true,
        isCut,
      }}
      run={run}
      interruptions={told}
    />,
  );
}

describe('the checkpoints of a run', () => {
  it('are listed with what they hold, their size and age, the newest first', () => {
    show([...folders(MINUTE), file('best\u202E\n<b>.pt', HOUR, 1500)], { isCut: true });
    const rows = within(screen.getByRole('table')).getAllByRole('row');
    const words = rows.map((row) => row.textContent.replace(/[\u202f\u00a0]/g, ' '));
    expect(words[1]).toBe('step 400checkpoint-400/4.0 GB1 min ago');
    expect(words[5]).toBe('not in the namebest <b>.pt1.5 kB1 h ago');
    expect(screen.getByTitle('checkpoint-400/: 2 files')).toBeDefined();
    expect(plain()).toContain('5 checkpoints16.0 GB');
    expect(plain()).toContain('some may be missing');
    expect(plain()).toContain('every 5 min (median of 3 gaps)');
    expect(plain()).toContain('at least 30 s, from its first file to its last');
    expect(screen.getByRole('region', { name: 'Checkpoint files' }).tabIndex).toBe(0);
  });

  it('are held against what would cost least', () => {
    show(folders(MINUTE), { told: ok(known(2, 7)) });
    expect(plain()).toContain('2 in 7 h: one every 3 h 30 min (1 h 6 min to 19 h 41 min)');
    expect(plain()).toContain(
      'You save every 5 min; 14 min (280 steps) would cost least. By 2 interruptions in 7 h of this box, so 90 % sure between 8 min and 34 min.',
    );
    expect(screen.getByText(/would cost least/).title).toContain(
      'Young’s first-order approximation',
    );
  });

  it('say what is not known, and take it from the person', async () => {
    show([file('step_1.pt', 9 * MINUTE), file('step_2.pt', 5 * MINUTE), file('step_3.pt', MINUTE)]);
    expect(plain()).toContain('Save timeunknown: the files do not tell');
    expect(plain()).toContain('none in 1 h: too few to tell how often');
    expect(plain()).toContain(
      'cannot be worked out: how long a save takes and how often this box cuts runs off is not known.',
    );
    await user.click(screen.getByText('How this is worked out'));
    await user.type(screen.getByLabelText('Save time, seconds'), '30');
    expect(plain()).toContain(
      'cannot be worked out: how often this box cuts runs off is not known.',
    );
    const hours = screen.getByLabelText<HTMLInputElement>('Time between interruptions, hours');
    await user.type(hours, '3');
    expect(plain()).toContain(
      'You save every 4 min; 13 min (3 steps) would cost least. By the time between interruptions that you entered.',
    );
    await user.clear(hours);
    await user.type(hours, '0,3');
    expect(plain()).toContain('which is close to what costs least: 4 min (1 step).');
    await user.clear(hours);
    await user.type(hours, '0.01');
    expect(plain()).toContain('Saves take too long');
    await user.type(hours, 'x');
    expect(hours.getAttribute('aria-invalid')).toBe('true');
    expect(plain()).toContain('Enter a number above 0.');
  });

  it('take the timer of the platform where the box was cut off too seldom to tell', () => {
    const timer = { forMs: 12 * HOUR, trigger: 'VM started', isEstimate: true };
    show(folders(MINUTE), { told: ok(known(1, 72, timer)) });
    expect(plain()).toContain('1 in 3 d: too few to tell how often');
    expect(plain()).toContain('Timer of the platformVM started: over after about 12 h');
    expect(plain()).toContain(
      'would cost least. By the timer of the platform (VM started: over after about 12 h); this box had 1 interruption in 3 d, too few to tell.',
    );
  });

  it('give no advice while the interruptions are read, and say where they cannot be', () => {
    show(folders(MINUTE), { told: null });
    expect(plain()).toContain('Interruptions of this boxReading…');
    expect(plain()).not.toContain('would cost least');
    cleanup();
    show(folders(MINUTE), { told: err(problem('no-such-box', 'There is no such box.')) });
    expect(plain()).toContain('unknown: There is no such box.');
    expect(plain()).toContain('how often this box cuts runs off is not known');
  });

  it('warn where a run that lives has saved nothing for long, and only then', () => {
    show(folders(20 * MINUTE));
    expect(screen.getByRole('status').textContent.replace(/\u00a0/g, ' ')).toBe(
      'No checkpoint for 20 min when this was listed; usually one comes every 5 min.',
    );
    cleanup();
    show(folders(20 * MINUTE), {
      run: sampleRun({ status: { kind: 'ended', exitCode: 0, atMs: NOW_MS } }),
    });
    expect(screen.getByRole('status').textContent).toBe('');
    cleanup();
    show(folders(14 * MINUTE));
    expect(screen.getByRole('status').textContent).toBe('');
  });

  it('are told as missing, with the names that are known', () => {
    show([file('loss.csv', 1)]);
    expect(screen.getByText('No file looks like a checkpoint')).toBeDefined();
    expect(plain()).toContain('.safetensors');
    expect(screen.queryByRole('table')).toBeNull();
  });

  it('by the thousand draw only what is in view', () => {
    show(Array.from({ length: 2000 }, (_, at) => file(`step_${at}.pt`, at * MINUTE)));
    const table = screen.getByRole('table');
    expect(table.getAttribute('aria-rowcount')).toBe('2001');
    expect(within(table).getAllByRole('row').length).toBeLessThan(100);
  });

  it('name all that they hold, and take numbers as people write them', () => {
    expect(heldWords({ step: 1200, epoch: 3, count: null })).toBe('epoch 3, step 1\u202f200');
    expect(heldWords({ step: null, epoch: null, count: 7 })).toBe('number 7');
    expect([' 1,5 ', '', ' ', '0', '-1', 'x', '1e999'].map((text) => enteredMs(text, 10))).toEqual([
      15,
      ...Array.from({ length: 6 }, () => null),
    ]);
  });
});
