import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { problem, type Problem } from '../../../../shared/problem.ts';
import { err, ok, type Result } from '../../../../shared/result.ts';
import type {
  PulledFile,
  PullPlan,
  PullProgress,
  RunProof,
} from '../../../../shared/transfer/pull.ts';
import type { PythonAnswer } from '../../../../shared/verify/python-answer.ts';
import { sampleMeter } from '../../../costs/meter.fixture.ts';
import { sampleLoaded, serveProfiles } from '../../../facts/facts.fixture.ts';
import { sampleEntry } from '../../../fleet/fleet-entry.fixture.ts';
import { openFeeds, useMeter } from '../../../state/feeds.ts';
import type { FakeBridge } from '../../../state/fake-bridge.fixture.ts';
import { createStreamClient } from '../../../state/stream-client.ts';
import { StreamProvider } from '../../../state/stream-context.ts';
import { openTestWindow } from '../../../test-window.fixture.ts';
import { NOW_MS, sampleRun } from '../launch/launch.fixture.ts';
import { ResultsList } from '../launch/results-list.tsx';
import { useAskedPulls } from './use-pull.ts';

const boxId = '7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01';
const RUN = sampleRun();
const SHA = 'ab'.repeat(32);
const STAMP = '1.0 1.0 7';

const pulled = (path: string, more: Partial<PulledFile> = {}): PulledFile => ({
  ...{ path, bytes: 100, modifiedAtMs: NOW_MS - 60_000, keep: 'unknown', mark: 'equal' },
  ...{ level: 'hashed', sha256: SHA, loaded: { kind: 'no-reader' }, says: null },
  ...more,
});
const proof = (...files: readonly PulledFile[]): RunProof => ({
  ...{ atMs: NOW_MS - 5000, seq: 7, hash: SHA },
  report: { runId: RUN.id, runName: 'a', from: '/b', to: '/home/me/r', manifest: SHA, files },
});
const plan = (more: Partial<PullPlan> = {}): PullPlan => ({
  plan: { id: boxId, digest: SHA, expiresAtMs: NOW_MS + 60_000 },
  ...{ from: '/box/out', to: '/home/me/r', bytes: 100, missingBytes: 100, freeBytes: 5000 },
  files: [
    {
      ...{ path: 'a.json', bytes: 100, modifiedAtMs: NOW_MS, keep: 'evidence', refused: null },
      ...{ here: 'nothing', missingBytes: 100 },
    },
  ],
  ...more,
});

let bridge: FakeBridge;
const user = userEvent.setup({ delay: null });
beforeEach(() => {
  vi.useFakeTimers({ now: NOW_MS, toFake: ['Date'] });
  bridge = openTestWindow();
  useAskedPulls.setState({}, true);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

async function show(known: RunProof | null, paths: readonly string[] = ['a.json']): Promise<void> {
  const version = { bytes: 100, modifiedAtMs: NOW_MS - 60_000, stamp: STAMP };
  const files = paths.map((path) => ({ path, ...version }));
  bridge.answer(
    'runs:results',
    ok({
      atMs: NOW_MS,
      folder: '/box/out',
      files,
      others: [],
      isCut: false,
      grainMs: 50,
      tellsWrites: true,
    }),
  );
  bridge.answer('runs:proof', ok(known));
  const client = createStreamClient(bridge);
  render(
    <StreamProvider value={client}>
      <ResultsList boxId={boxId} run={RUN} isUp />
    </StreamProvider>,
  );
  await screen.findByRole('table');
}
const click = (name: string | RegExp) => user.click(screen.getByRole('button', { name }));
const proofOf = (path: string): string =>
  within(screen.getByRole('row', { name: new RegExp(path) }))
    .getAllByRole('cell')
    .at(-1)
    ?.textContent.trim() ?? '';
const plain = (): string => document.body.textContent.replace(/[\u202f\u00a0]/g, ' ');

it('says of each file how far it is proven, and never more', async () => {
  const loaded = { kind: 'loaded', format: 'safetensors', holds: '2 tensors, 9 numbers' } as const;
  const numbers = {
    ...{ scanned: 9, nonFinite: 2, allZero: [] },
    affected: [{ tensor: 'head\u202e.weight', count: 2 }],
  };
  const damaged = { kind: 'damaged', format: 'npy', because: 'it is shorter' } as const;
  await show(
    proof(
      pulled('whole', { level: 'loaded', loaded }),
      pulled('nan', { level: 'loaded', loaded: { ...loaded, numbers } }),
      pulled('bad', { loaded: damaged }),
      pulled('plain'),
      pulled('changed', { bytes: 99 }),
      pulled('other', { mark: 'differs', level: 'listed', says: 'Another file stands here.' }),
    ),
    ['whole', 'nan', 'bad', 'plain', 'changed', 'other', 'newer'],
  );
  expect(
    ['whole', 'nan', 'bad', 'plain', 'changed', 'other', 'newer'].map((path) => proofOf(path)),
  ).toEqual([
    'Loaded',
    'Loaded, has NaN',
    'Damaged',
    'Hashed',
    'Changed since',
    'Differs',
    'Listed only',
  ]);
  expect(plain()).toContain('1 file not proven, 1 damaged, 2 loaded, 2 hashed only');
  expect(plain()).toContain('Evidence no. 7');
  const trouble = within(screen.getByRole('list', { name: 'What to look at' }));
  expect(trouble.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^nan: 2 of 9.numbers NaN or infinite, the first in head/),
    'bad: Damaged: it is shorter. Accept as it is…',
    'other: Another file stands here.',
  ]);
  expect(plain()).not.toContain('\u202e');
});

it('takes a file that is damaged on the box too only by its name and with a reason, and says so afterwards', async () => {
  const damaged = { kind: 'damaged', format: 'npy', because: 'it is shorter' } as const;
  const bad = [pulled('bad.npy', { loaded: damaged }), pulled('worse.npy', { loaded: damaged })];
  await show(proof(...bad), ['bad.npy', 'worse.npy']);
  await click('Accept as it is: bad.npy…');
  const dialog = within(screen.getByRole('dialog', { name: 'Accept a damaged file' }));
  expect(dialog.getByText('bad.npy')).toBeDefined();
  expect(dialog.getByText('Damaged: it is shorter.')).toBeDefined();
  const confirm = dialog.getByRole<HTMLButtonElement>('button', { name: 'Accept this file' });
  expect(confirm.disabled).toBe(true);
  await user.type(dialog.getByLabelText('Why it is accepted as it is'), '  ');
  expect(confirm.disabled).toBe(true);
  await user.type(dialog.getByLabelText('Why it is accepted as it is'), 'all there is ');
  bridge.answer('evidence:accept', err(problem('disk-full', 'The disk is full.')));
  await user.click(confirm);
  expect((await dialog.findByRole('alert')).textContent).toContain('The disk is full.');
  const accepted = pulled('bad.npy', { loaded: damaged, accepted: 'all there is' });
  bridge.answer('evidence:accept', ok(proof(accepted, ...bad.slice(1))));
  await user.click(confirm);
  expect(bridge.callsTo('evidence:accept').at(-1)).toEqual({
    ...{ boxId, runId: RUN.id, path: 'bad.npy', sha256: SHA, because: 'all there is' },
  });
  const list = within(await screen.findByRole('list', { name: 'Damaged and accepted' }));
  expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'bad.npy: Damaged: it is shorter. Accepted: all there is.',
  ]);
  expect(proofOf('bad.npy')).toBe('Damaged, accepted');
  expect(proofOf('worse.npy')).toBe('Damaged');
  expect(plain()).toContain('1 damaged, 1 damaged and accepted');
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('says first what is only whole together and is not, and what is', async () => {
  const kind = 'sharded-checkpoint';
  const known = proof(pulled('a.index.json'), pulled('b', { level: 'loaded' }));
  const sets = [
    {
      kind,
      path: 'a.index.json',
      state: 'damaged',
      says: '1 of its 3 parts is not here: "x\u202e"',
    },
    { kind, path: 'b.index.json', state: 'whole', says: '3 parts, 8 tensors' },
    { kind, path: 'c.index.json', state: 'unknown', says: 'A worker ended.' },
  ] as const;
  await show({ ...known, report: { ...known.report, sets } }, ['a.index.json']);
  expect(plain()).toContain('2 sets of files not whole, 1 loaded, 1 hashed only');
  const items = (name: string) =>
    within(screen.getByRole('list', { name }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
  expect(items('What to look at')).toEqual([
    'a.index.json: Not whole: 1 of its 3 parts is not here: "x".',
    'c.index.json: Not known to be whole: A worker ended.',
  ]);
  expect(items('Files that belong together')).toEqual(['b.index.json: Whole: 3 parts, 8 tensors.']);
});

it('shows what it would do, and does it only after a yes', async () => {
  await show(null);
  expect(proofOf('a.json')).toBe('Listed only');
  const files = plan().files.map((file) => ({
    ...file,
    rule: { pattern: '*.json', from: 'box' as const },
  }));
  bridge.answer('runs:plan-pull', ok(plan({ files })));
  await click('Bring home…');
  const dialog = within(screen.getByRole('dialog', { name: 'Bring the results home' }));
  expect(dialog.getByText('/home/me/r')).toBeDefined();
  expect(dialog.getByRole('checkbox', { name: 'Evidence' })).toBeDefined();
  expect(dialog.getByRole('cell', { name: 'Evidence *.json' }).title).toBe(
    'By your rule for this box: *.json',
  );
  expect(bridge.callsTo('runs:pull')).toEqual([]);
  bridge.answer('runs:pull', ok(proof(pulled('a.json'))));
  bridge.answer('runs:proof', ok(proof(pulled('a.json'))));
  await click(/^Bring home 100/);
  expect(bridge.callsTo('runs:pull')).toEqual([
    { boxId, plan: { id: boxId, digest: SHA }, left: [] },
  ]);
  await screen.findByRole('table');
  expect(proofOf('a.json')).toBe('Hashed');
});

it('does nothing when no folder was chosen, and cannot begin without room', async () => {
  await show(null);
  bridge.answer('runs:plan-pull', ok(null));
  await click('Bring home…');
  expect(screen.queryByRole('dialog')).toBeNull();
  const refused = {
    path: '../x',
    bytes: 1,
    modifiedAtMs: 0,
    keep: 'unknown',
    refused: 'It leads out.',
    here: 'nothing',
    missingBytes: 0,
  } as const;
  bridge.answer('runs:plan-pull', ok(plan({ freeBytes: 50, files: [...plan().files, refused] })));
  await click('Bring home…');
  expect(screen.getByRole('alert').textContent).toContain('do not fit');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: /^Bring home 100/ }).disabled).toBe(
    true,
  );
  expect(plain()).toContain('../x: It leads out.');
});

it('leaves on the box what it is told to, with a reason, and says so afterwards', async () => {
  await show(null, ['a.json', 'c1.bin', 'c2.bin']);
  const [evidence] = plan().files;
  if (evidence === undefined) throw new Error('no file');
  const scratch = ['c1.bin', 'c2.bin'].map(
    (path) => ({ ...evidence, path, keep: 'scratch' }) as const,
  );
  bridge.answer('runs:plan-pull', ok(plan({ files: [evidence, ...scratch], freeBytes: 150 })));
  await click('Bring home…');
  // All of it does not fit; what is left needs no room here.
  expect(screen.getByRole('alert').textContent).toContain('do not fit');
  await user.click(screen.getByRole('checkbox', { name: 'Scratch' }));
  expect(plain()).toContain('2 files, 200 B will be left on the box.');
  const confirm = screen.getByRole<HTMLButtonElement>('button', { name: /^Bring home 100/ });
  expect(confirm.disabled).toBe(true);
  expect(screen.getByRole('alert').textContent).toBe('Give a reason for what is left.');
  await user.click(screen.getByRole('checkbox', { name: 'c2.bin' }));
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Scratch' }).indeterminate).toBe(
    true,
  );
  await user.click(screen.getByRole('checkbox', { name: 'c2.bin' }));
  await user.click(screen.getByRole('radio', { name: 'Another reason' }));
  await user.type(screen.getByLabelText('Reason'), ' made by prepare.py ');
  const left = 'made by prepare.py';
  const reported = scratch.map(({ path }) =>
    pulled(path, { keep: 'scratch', mark: 'missing-here', level: 'listed', left, says: 'Left' }),
  );
  bridge.answer('runs:proof', ok(proof(pulled('a.json'), ...reported)));
  await user.click(confirm);
  expect(bridge.callsTo('runs:pull')).toMatchObject([
    { left: [{ because: left, paths: ['c1.bin', 'c2.bin'] }] },
  ]);
  await screen.findByText('Evidence no. 7');
  await screen.findByRole('table');
  expect(proofOf('c1.bin')).toBe('Left on the box');
  expect(plain()).toContain('1 hashed only, 2 left on the box');
  expect(plain()).toContain('Left on the box: 2 files, 200 B. Reason: made by prepare.py.');
  expect(screen.queryByRole('list', { name: 'What to look at' })).toBeNull();
});

it.each([
  [null, null, 'no price set: it may cost something'],
  [{ micros: 90_000, currency: 'USD', per: 'GB' } as const, 2_000_000_000, 'about $0.18, at $0.09'],
])(
  'says what the bytes cost, and that it is unknown where nobody says (U14, VAST9)',
  async (...given) => {
    const [egressRate, missingBytes, words] = given;
    useMeter.setState(
      { kind: 'live', state: { boxes: { [boxId]: sampleMeter({ egressRate }) } } },
      true,
    );
    await show(null);
    const files = plan().files.map((file) => ({ ...file, missingBytes: missingBytes ?? 1 }));
    bridge.answer('runs:plan-pull', ok(plan({ files })));
    await click('Bring home…');
    await waitFor(() => expect(plain()).toContain(words));
  },
);

it.each([
  [
    '/workspace/out',
    'volume disk: stays when stopped, is deleted when destroyed',
    'Lost on destroy',
  ],
  ['/root/out', 'container disk: is deleted when stopped or destroyed', 'Lost on stop'],
  ['/mnt/out', 'not known: it may be deleted when the box is stopped or destroyed', null],
])('says what becomes of what stays in %s on the box', async (from, words, mark) => {
  const close = onRunpod(['/', '/workspace', '/mnt']);
  try {
    await show(null);
    bridge.answer('runs:plan-pull', ok(plan({ from })));
    await click('Bring home…');
    await waitFor(() => expect(plain()).toContain(words));
    const row = within(screen.getByRole('dialog')).getByRole('row', { name: /a\.json/ });
    const marks = within(row).getAllByRole('cell').slice(4);
    expect(marks.map(({ textContent }) => textContent.trim())).toEqual(mark === null ? [] : [mark]);
    if (mark !== null) expect(marks[0]?.title).toBe(words);
  } finally {
    close();
  }
});

it('marks each file that dies with a stop or a destroy, by the tier on which it lies', async () => {
  const close = onRunpod(['/', '/workspace', '/box/out/kept']);
  const paths = ['a.json', 'b.json', 'kept/c.json'];
  try {
    await show(proof(pulled('b.json', { stamp: STAMP })), paths);
    await screen.findByRole('columnheader', { name: 'On the box' });
    const marks = paths.map((path) => {
      const cell = within(screen.getByRole('row', { name: new RegExp(path) })).getAllByRole(
        'cell',
      )[3];
      const tone = cell?.querySelector('svg')?.getAttribute('data-tone');
      return `${cell?.textContent.trim() ?? ''}, ${tone ?? ''}`;
    });
    // What is home need not worry anybody; of a mount that the platform says nothing of, nobody knows.
    expect(marks).toEqual(['Lost on stop, danger', 'Lost on stop, off', 'Not known, unknown']);
  } finally {
    close();
  }
});

/** The box of a platform whose own storage is at `/` and `/workspace`. */
function onRunpod(paths: readonly string[]): () => void {
  bridge = openTestWindow([sampleEntry({ gpus: [] }, { id: boxId, platform: 'runpod' })]);
  serveProfiles(bridge, [sampleLoaded()]);
  const mount = (path: string) => ({
    ...{ id: path, path, source: '/dev/x', type: 'ext4', device: path, isReadOnly: false },
    ...{ usage: null, because: null },
  });
  const place = (path: string) => ({ name: path, path, place: { kind: 'there' as const, path } });
  const mounts = paths.map(mount);
  const found = { mounts, leftOut: 0, places: ['/', '/workspace'].map(place), unreadable: [] };
  bridge.answer('box:mounts', ok({ atMs: NOW_MS, ...found }));
  return openFeeds(createStreamClient(bridge));
}

it('shows whether the record is whole, and gives it away', async () => {
  await show(proof(pulled('a.json')));
  await click('Evidence no. 7');
  const dialog = within(screen.getByRole('dialog', { name: 'Evidence no. 7' }));
  expect(dialog.getByText(/taken out or cut off at the end is found/)).toBeDefined();
  expect(dialog.getByText('7 entries, each as it was written.')).toBeDefined();
  bridge.answer('evidence:receipt', ok({ kind: 'saved', file: '/home/me/r.md', bytes: 900 }));
  await click('Save receipt…');
  expect(bridge.callsTo('evidence:receipt')).toEqual([{ seq: 7 }]);
  expect(dialog.getByRole('status', { name: 'What was saved' }).textContent).toContain(
    '/home/me/r.md',
  );
  bridge.answer('evidence:export', err(problem('disk-full', 'The disk is full.')));
  await click('Export all as JSON…');
  expect(bridge.callsTo('evidence:export')).toEqual([{ format: 'json' }]);
  expect(dialog.getByRole('alert').textContent).toContain('The disk is full.');
  expect(dialog.getByRole('status', { name: 'What was saved' }).textContent).toBe('');
});

it('is loud where an earlier entry was changed', async () => {
  bridge.answer('evidence:check', ok({ count: 7, fault: { seq: 3, because: 'changed' } }));
  await show(proof(pulled('a.json')));
  expect((await screen.findByRole('alert')).textContent).toContain(
    'Entry 3: it was changed after it was written.',
  );
});

it('accuses nobody of changing a record that is merely an older copy', async () => {
  bridge.answer('evidence:check', ok({ count: 7, fault: { seq: 8, because: 'cut-off' } }));
  await show(proof(pulled('a.json')));
  const said = (await screen.findByRole('alert')).textContent;
  expect(said).toContain('an older copy. Entry 8: the one that was written here is missing.');
  expect(said).toContain('put back a newer copy');
  expect(said).not.toContain('behind');
});

const doing = (more: Partial<PullProgress> = {}): PullProgress => ({
  ...{ runId: RUN.id, stage: 'pulling', doneFiles: 1, files: 3, doneBytes: 50, bytes: 100 },
  ...{ hashedBytes: 60, hashedFiles: 2 },
  ...more,
});
const tell = (value: PullProgress | null): void =>
  act(() => bridge.publish('pulls', [{ boxId, value }]));
const bringHome = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Bring home…' });

it('tells how far it is, can be stopped, and says what went wrong', async () => {
  await show(null);
  tell(doing());
  expect(await screen.findByRole('progressbar', { name: 'Results brought home' })).toBeDefined();
  expect(plain()).toContain('1 of 3 files · 50 B of 100 B · rate not known');
  tell(doing({ way: { over: 'own', because: 'little' } }));
  const way = await screen.findByText('over Leasehold’s own connection');
  expect(way.title).toContain('too little to transfer');
  tell(doing({ way: { over: 'openssh', because: 'far', packs: true } }));
  const packed = await screen.findByText('over OpenSSH, compressed');
  expect(packed.title).toContain('Small files come compressed: the connection is slow');
  await click('Stop');
  expect(bridge.callsTo('runs:stop-pull')).toEqual([{ boxId }]);
  tell(null);
  await waitFor(() => expect(bringHome().disabled).toBe(false));
  bridge.answer('runs:plan-pull', err(problem('link-lost', 'The link is down.')));
  await click('Bring home…');
  expect(plain()).toContain('The link is down.');
});

it('tells how far the box has hashed, and why and until when it waits', async () => {
  await show(null);
  tell(doing());
  await waitFor(() => expect(plain()).toContain('Hashed on the box: 2 of 3 files · 60 B of 100 B'));
  tell(doing({ hashedFiles: 3, hashedBytes: 100 }));
  expect(plain()).not.toContain('Hashed on the box');
  expect(screen.queryByRole('button', { name: 'Try now' })).toBeNull();
  const because = 'The link to a was cut.';
  const retry = { tries: 3, ofTries: 10, untilMs: NOW_MS + 5000, because };
  tell(doing({ stage: 'waiting', retry }));
  expect(plain()).toContain('The link to a was cut. Try 3 of 10 in 5 s.');
  await click('Try now');
  expect(bridge.callsTo('runs:try-pull-now')).toEqual([{ boxId }]);
});

it('pauses and resumes, says what stays, and that a limit holds', async () => {
  await show(null);
  const way = { over: 'own', because: 'limited' } as const;
  tell(doing({ way, limitBytesPerS: 5_000_000 }));
  const words = await screen.findByText(/limited to/);
  expect(words.textContent.replace(/[\u202f\u00a0]/g, ' ')).toBe(
    'over Leasehold’s own connection, limited to 5.0 MB/s',
  );
  await click('Pause');
  expect(bridge.callsTo('runs:pause-pull')).toEqual([{ boxId }]);
  tell(doing({ stage: 'paused' }));
  const says = 'Paused. What has arrived stays here, and is not sent again.';
  await waitFor(() => expect(plain()).toContain(says));
  expect(plain()).not.toContain('Hashed on the box');
  expect(screen.queryByRole('button', { name: 'Pause' })).toBeNull();
  expect(bringHome()).toMatchObject({ disabled: true, title: expect.stringMatching('paused') });
  bridge.answer('runs:resume-pull', ok(proof(pulled('a.json'))));
  await click('Resume');
  expect(bridge.callsTo('runs:resume-pull')).toEqual([{ boxId }]);
});

it('says why it is paused where nobody has paused it', async () => {
  await show(null);
  const because = 'The disk of /home/me/r is full: 3.2 GB are missing.';
  tell(doing({ stage: 'paused', because }));
  expect((await screen.findByText(because)).getAttribute('role')).toBe('status');
  expect(screen.getByRole('button', { name: 'Resume' })).toBeDefined();
  tell(doing({ stage: 'paused' }));
  await waitFor(() => expect(plain()).not.toContain(because));
});

it('says that what was cut off by the end of the app goes on by itself', async () => {
  await show(null);
  tell(doing({ stage: 'cut-off' }));
  await waitFor(() => expect(plain()).toContain('It goes on by itself once the box'));
  for (const name of ['Pause', 'Resume']) expect(screen.queryByRole('button', { name })).toBeNull();
  expect(bringHome()).toMatchObject({ disabled: true, title: expect.stringMatching('by itself') });
  await click('Stop');
  expect(bridge.callsTo('runs:stop-pull')).toEqual([{ boxId }]);
});

it('tells what a round did not bring apart from what is amiss, and what it only has the beginning of', async () => {
  await show(
    proof(
      pulled('a.json', { provenIn: 3 }),
      pulled('old.bin', { mark: 'missing-here', level: 'listed', waits: 'older-checkpoint' }),
      pulled('train.log', { bytes: 40, isGrowing: true }),
    ),
    ['a.json', 'old.bin', 'train.log'],
  );
  expect(['a.json', 'old.bin', 'train.log'].map((path) => proofOf(path))).toEqual([
    ...['Hashed', 'Not brought', 'Begun'],
  ]);
  expect(plain()).toContain('2 hashed only, 1 not brought');
  expect(screen.queryByRole('list', { name: 'What to look at' })).toBeNull();
});

it('lets a person bring home what they want while a round is under way', async () => {
  await show(null);
  tell(doing({ isRound: true }));
  expect(await screen.findByRole('progressbar')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Pause' })).toBeNull();
  expect(bringHome().disabled).toBe(false);
});

it('knows of a pull that goes on while its page is left, and of what came of it', async () => {
  await show(null);
  bridge.answer('runs:plan-pull', ok(plan()));
  await click('Bring home…');
  let end: (answer: Result<RunProof, Problem>) => void = () => undefined;
  bridge.answer('runs:pull', new Promise((resolve) => (end = resolve)));
  await click(/^Bring home 100/);
  cleanup();
  bridge.serve('pulls', { boxes: { [boxId]: doing() } });
  await show(null);
  expect(await screen.findByRole('progressbar')).toBeDefined();
  expect(bringHome()).toMatchObject({ disabled: true, title: 'They are on their way home' });
  const listed = bridge.callsTo('runs:results').length;
  bridge.answer('runs:proof', ok(proof(pulled('a.json'))));
  tell(null);
  end(err(problem('link-lost', 'The link was cut.')));
  await waitFor(() => expect(plain()).toContain('Evidence no. 7'));
  expect(proofOf('a.json')).toBe('Hashed');
  expect(plain()).toContain('The link was cut.');
  expect(screen.queryByRole('progressbar')).toBeNull();
  expect(bringHome().disabled).toBe(false);
  expect(bridge.callsTo('runs:results')).toHaveLength(listed + 1);
});

it('shows the way home of its own run only, and says why it has to wait for another', async () => {
  bridge.serve('pulls', { boxes: { [boxId]: doing({ runId: 'another' }) } });
  await show(null);
  await waitFor(() => expect(bringHome().disabled).toBe(true));
  expect(bringHome().title).toContain('another run of this box');
  expect(screen.queryByRole('progressbar')).toBeNull();
});

describe('a person’s own Python', () => {
  const torch = { kind: 'loaded', format: 'torch', holds: '2 tensors, 9 numbers' } as const;
  const asked = { boxId, runId: RUN.id };
  const statusOf = (): string => within(screen.getByRole('dialog')).getByRole('status').textContent;

  async function open(...paths: readonly string[]): Promise<void> {
    await show(
      proof(...paths.map((path) => pulled(path, { level: 'loaded', loaded: torch }))),
      paths,
    );
    await click('Load with your Python…');
    await screen.findByRole('dialog');
  }

  it('is offered only where there is a file of torch', async () => {
    await show(proof(pulled('a.json')));
    expect(screen.queryByRole('button', { name: /your Python/ })).toBeNull();
  });

  it('is off until one is chosen; then it is asked file by file, and what it says stands beside each', async () => {
    bridge.answer('evidence:python', ok(null));
    await open('weights-a', 'weights-b');
    await screen.findByText(/^None chosen\./);
    expect(screen.getByRole('button', { name: 'Load 2 files' })).toHaveProperty('disabled', true);
    bridge.answer('evidence:choose-python', ok('/home/me/venv/bin/python'));
    await click('Choose…');
    await screen.findByText('/home/me/venv/bin/python');
    expect(bridge.callsTo('evidence:ask-python')).toEqual([]);
    const says = 'UnpicklingError: Unsupported class os.system';
    bridge.answer(
      'evidence:ask-python',
      ok({ kind: 'refused', torch: '2.9', says, isAlone: true }),
    );
    await click('Load 2 files');
    await waitFor(() => expect(statusOf()).toBe('0 of 2 files opened by your Python'));
    expect(bridge.callsTo('evidence:ask-python')).toEqual([
      { ...asked, path: 'weights-a' },
      { ...asked, path: 'weights-b' },
    ]);
    expect(within(screen.getByRole('dialog')).getAllByText(new RegExp(says))).toHaveLength(2);
    expect(within(screen.getByRole('dialog')).getAllByText('Refused')).toHaveLength(2);
    bridge.answer(
      'evidence:ask-python',
      ok({ kind: 'loads', torch: '2.9', tensors: 2, isAlone: true }),
    );
    await click('Load 2 files');
    await waitFor(() => expect(statusOf()).toBe('2 of 2 files opened by your Python'));
    expect(screen.queryByText(/does not allow a closed process/)).toBeNull();
    bridge.answer(
      'evidence:ask-python',
      ok({ kind: 'loads', torch: '2.9', tensors: 2, isAlone: false }),
    );
    await click('Load 2 files');
    await screen.findByText(/does not allow a closed process/);
  });

  it('is stopped by a button, and by closing, and asks no further file then', async () => {
    bridge.answer('evidence:python', ok('/venv/bin/python'));
    await open('weights-a', 'weights-b');
    let settle: (answer: Result<PythonAnswer, Problem>) => void = () => undefined;
    const late = (): Promise<Result<PythonAnswer, Problem>> =>
      new Promise((resolve) => (settle = resolve));
    const stopped = (): Promise<void> =>
      act(async () => {
        settle(ok({ kind: 'no-answer', says: 'it was stopped' }));
        await Promise.resolve();
      });
    bridge.answer('evidence:ask-python', late());
    await user.click(await screen.findByRole('button', { name: 'Load 2 files' }));
    expect(statusOf()).toBe('Loading 1 of 2…');
    await click('Stop');
    expect(bridge.callsTo('evidence:stop-python')).toHaveLength(1);
    await stopped();
    await screen.findByRole('button', { name: 'Load 2 files' });
    bridge.answer('evidence:ask-python', late());
    await click('Load 2 files');
    await user.keyboard('{Escape}');
    expect(bridge.callsTo('evidence:stop-python')).toHaveLength(2);
    await stopped();
    expect(
      bridge.callsTo('evidence:ask-python').map((input) => (input as { path: string }).path),
    ).toEqual(['weights-a', 'weights-a']);
  });

  it('says why it was not asked', async () => {
    bridge.answer('evidence:python', ok('/venv/bin/python'));
    await open('weights-a', 'weights-b');
    const because =
      'Your Python was not asked. The file on this computer is not the one that came home.';
    bridge.answer('evidence:ask-python', err(problem('python-not-asked', because)));
    await user.click(await screen.findByRole('button', { name: 'Load 2 files' }));
    await screen.findByText(because);
    expect(bridge.callsTo('evidence:ask-python')).toHaveLength(1);
  });
});
