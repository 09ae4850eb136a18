import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sentinelNews, type SentinelNews } from '../../shared/news/kinds/sentinel-news.ts';
import type { NewsWords } from '../../shared/news/news.ts';
import type { Problem } from '../../shared/problem.ts';
import { sentinelBook } from '../../shared/sentinels/sentinel-schema.ts';
import {
  FROM_ITS_BEGINNING,
  MAX_ARMED,
  NO_SENTINELS,
  type Awaited,
  type SentinelsState,
} from '../../shared/sentinels/sentinel.ts';
import { sentinelsStream } from '../../shared/streams/sentinels-stream.ts';
import { untouchedEntry } from '../../shared/streams/fleet-stream.ts';
import type { BoxRoster } from '../boxes/box-roster.ts';
import { ReachedRoster } from '../boxes/box-roster.fixture.ts';
import { onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { hasDropbear, startDropbear } from '../ssh/dropbear.fixture.ts';
import { hasSshd, startSshd, type TestSshd } from '../ssh/sshd.fixture.ts';
import { startTcpProxy, type TcpProxy } from '../ssh/tcp-proxy.fixture.ts';
import { trustingLink } from '../ssh/trusting-link.fixture.ts';
import { HeardHub } from '../streams/stream-hub.fixture.ts';
import { SentinelWatch } from './sentinel-watch.ts';

const WEEK_MS = 7 * 86_400_000;

let root: string;
let sshd: TestSshd;
let proxy: TcpProxy;
let made: ReturnType<typeof trustingLink>;
let hub: HeardHub;
let roster: BoxRoster;
let watch: SentinelWatch;
let state: SentinelsState;
let news: (SentinelNews & { readonly text: NewsWords | null })[];
let problems: Problem[];
/** What this machine's clock is ahead. */
let aheadMs: number;

const inWork = (name: string): string => join(root, 'work', name);
const marker = (): Awaited => ({ kind: 'file', path: inWork('DONE') });
const stall = (): string => join(root, 'stall');
const file = (): string => join(root, 'data', 'sentinels', 'b1.json');
const kept = () => sentinelBook.parse(JSON.parse(readFileSync(file(), 'utf8')));
/** How often the box was looked at: each look asks for the time once. */
const looks = (): number =>
  existsSync(join(root, 'looks')) ? readFileSync(join(root, 'looks'), 'utf8').length : 0;
const boots = (id: string): void =>
  writeFileSync(join(root, 'proc/sys/kernel/random/boot_id'), `${id}\n`);

const hear = (each: SentinelNews): void =>
  void news.push({ ...each, text: sentinelNews.words(each, Date.now()) });

function open(more: Partial<ConstructorParameters<typeof SentinelWatch>[0]> = {}): void {
  hub = new HeardHub();
  roster = new ReachedRoster(hub, () => made.link.connection);
  state = NO_SENTINELS;
  hub.hear('sentinels', 'b1', (part) => {
    state = sentinelsStream.apply(state, part);
  });
  watch = new SentinelWatch({
    hub,
    roster,
    scripts: onboxScripts,
    dataFolder: join(root, 'data'),
    redact: (text) => text.replaceAll('hunter2', '[redacted]'),
    onNews: hear,
    onProblem: (found) => void problems.push(found),
    random: () => 0,
    now: () => Date.now() + aheadMs,
    ...more,
  });
  roster.put({ ...untouchedEntry(made.box), link: made.states.seen.at(-1) ?? { kind: 'idle' } });
}

/** As after kill -9: nothing is closed, nothing more is written, and what is read is what the disk holds. */
function openAfterKill(): () => Promise<void> {
  const [killed, killedHub] = [watch, hub];
  open();
  return async () => {
    await killed.close();
    killedHub.dispose();
  };
}

const waits = (): void => expect(state.phase.kind).toBe('waiting');

/** The first look at each is over: what is known of it is shown a moment before the look ends, and a look under way is not asked again. */
const untilLookedAt = (): Promise<void> =>
  vi.waitFor(() => {
    expect(state.armed.every(({ base }) => base !== null)).toBe(true);
    waits();
  });

/** Arms it, and waits for the first look. */
async function arm(awaited: Awaited, forMs = WEEK_MS): Promise<void> {
  expect(await watch.arm('b1', awaited, forMs)).toEqual({ ok: true, value: null });
  await untilLookedAt();
}

/** One more look, as the next minute brings it. */
async function look(): Promise<void> {
  const before = looks();
  watch.wake();
  await vi.waitFor(() => {
    expect(looks()).toBe(before + 1);
    expect(['waiting', 'idle']).toContain(state.phase.kind);
  });
}

async function lose(): Promise<void> {
  await proxy.refuse(true);
  await vi.waitFor(() => expect(state.phase.kind).toBe('off'));
}

async function comeBack(): Promise<void> {
  await proxy.refuse(false);
  const up = made.states.next('up');
  made.link.connect();
  await up;
}

beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'leasehold-sentinels-')));
  for (const folder of ['bin', 'data', 'proc/sys/kernel/random', 'work']) {
    mkdirSync(join(root, folder), { recursive: true });
  }
  symlinkSync(`/proc/${String(process.pid)}`, join(root, 'proc', '1'));
  boots('11111111-1111-4111-8111-111111111111');
  writeFileSync(
    join(root, 'bin', 'date'),
    `#!/bin/sh\nprintf . >>'${root}/looks'\nwhile [ -e '${stall()}' ]; do sleep 0.05; done\nexec /bin/date "$@"\n`,
  );
  chmodSync(join(root, 'bin', 'date'), 0o755);
  news = [];
  problems = [];
  aheadMs = 0;
  if (!hasSshd) return;
  sshd = await startSshd({
    path: `${join(root, 'bin')}:/usr/bin:/bin`,
    env: { LEASEHOLD_PROC_ROOT: join(root, 'proc') },
  });
  proxy = await startTcpProxy(sshd.port);
  made = trustingLink({
    sshd,
    port: proxy.port,
    onChange: (link) => roster.change('b1', { link }),
  });
});
afterEach(async () => {
  rmSync(stall(), { force: true });
  await watch.close();
  expect(hub.has('sentinels', 'b1')).toBe(false);
  made.link.disconnect();
  hub.dispose();
  await proxy.stop();
  await sshd.stop();
  rmSync(root, { recursive: true, force: true });
});

describe.skipIf(!hasSshd || process.platform !== 'linux')('sentinels of a box', () => {
  it('that wait for a line of a log which is over read it to its end, and ask no more often where nobody answers', async () => {
    open({ everyMs: 200 });
    await made.connect();
    const run = 'r-20261123-023000-1a2b3c4d';
    const log = join(root, '.local/state/leasehold/runs', run, 'log');
    mkdirSync(join(log, '..'), { recursive: true });
    // More than several looks read.
    writeFileSync(log, 'x\n'.repeat(15_000_000));
    let asked = 0;
    let isAway = false;
    const reach = roster.connectionOf.bind(roster);
    vi.spyOn(roster, 'connectionOf').mockImplementation((boxId) => {
      asked += 1;
      // Who asks again at once lets nothing else happen.
      if (asked > 500) throw new Error('It is asked for again and again.');
      return isAway ? null : reach(boxId);
    });
    const awaited: Awaited = { kind: 'line', path: log, text: 'the end' };
    await watch.arm('b1', awaited, WEEK_MS, FROM_ITS_BEGINNING);
    await vi.waitFor(() => {
      expect(state.armed[0]?.seen?.unreadBytes).toBeGreaterThan(0);
      waits();
    });
    isAway = true;
    appendFileSync(log, 'it is the end\n');
    watch.runsAreOver('b1', new Set([run]));
    const before = asked;
    await vi.waitFor(() => expect(asked).toBeGreaterThan(before + 1));
    isAway = false;
    await vi.waitFor(() => expect(state.armed).toEqual([]), { timeout: 60_000 });
    expect(news).toMatchObject([{ kind: 'over', over: { line: 'it is the end' } }]);
  });

  it('tell once that it happened, kept before it rings, and not again after a restart', async () => {
    const keptAtRing: unknown[] = [];
    open({
      onNews: (each) => {
        keptAtRing.push(kept());
        hear(each);
      },
    });
    await made.connect();
    await arm(marker());
    await look();
    expect(news).toEqual([]);
    writeFileSync(inWork('DONE'), '');
    await look();
    expect(news).toMatchObject([
      {
        kind: 'over',
        box: { id: 'b1' },
        over: { end: 'happened', before: { isThere: false }, seen: { isThere: true } },
        text: { title: `train-a: ${inWork('DONE')} has appeared` },
      },
    ]);
    expect(keptAtRing).toMatchObject([
      { armed: [], over: [{ end: 'happened' }], untold: [expect.any(String) as string] },
    ]);
    expect(state).toMatchObject({
      phase: { kind: 'idle' },
      armed: [],
      over: [{ end: 'happened' }],
    });
    expect(watch.summary()).toMatchObject({ boxId: 'b1' });

    await watch.close();
    hub.dispose();
    open();
    await vi.waitFor(() => expect(state.over).toHaveLength(1));
    expect(news).toHaveLength(1);
    expect(await watch.remove('b1', state.over[0]?.id ?? '')).toMatchObject({ ok: true });
    expect([state.over, kept().over, watch.summary()]).toEqual([[], [], null]);
    // Nothing is waited for, so nobody looks.
    expect(looks()).toBe(3);
  });

  it('ring again where a kill came between the ring and its record', async () => {
    open();
    await made.connect();
    await arm(marker());
    writeFileSync(inWork('DONE'), '');
    await look();
    const { over } = kept();
    writeFileSync(file(), JSON.stringify({ ...kept(), untold: over.map(({ id }) => id) }));
    const closeKilled = openAfterKill();
    await vi.waitFor(() => expect(news).toHaveLength(2));
    await vi.waitFor(() => expect(kept().untold).toEqual([]));
    await closeKilled();
  });

  it('take a lost link for no event, look once when it is back, and say when it happened', async () => {
    open();
    await made.connect();
    writeFileSync(inWork('log'), 'epoch 1\n');
    await arm({ kind: 'line', path: inWork('log'), text: 'epoch 3' });
    await arm(marker());
    const before = looks();
    writeFileSync(stall(), '');
    watch.wake();
    await vi.waitFor(() => expect(looks()).toBe(before + 1));
    await lose();
    expect([news, state.armed.length, state.failed]).toEqual([[], 2, null]);
    rmSync(stall());
    appendFileSync(inWork('log'), 'epoch 2\nepoch 3 token=hunter2\nepoch 4\n');
    aheadMs = 3_600_000;
    watch.wake();
    watch.wake();
    await comeBack();
    await vi.waitFor(() => expect(news).toHaveLength(1));
    expect(news[0]).toMatchObject({
      over: { awaited: { text: 'epoch 3' }, line: 'epoch 3 token=[redacted]', end: 'happened' },
    });
    expect(news[0]?.text?.body).toMatch(
      /^It happened between .+ and .+, while no check could run\.$/,
    );
    expect(JSON.stringify(news[0]?.text)).not.toContain('token');
    await vi.waitFor(waits);
    expect(looks()).toBe(before + 2);
    expect(state.armed).toHaveLength(1);
  });

  it('go on after a kill where they were, through a wake as well, with one look', async () => {
    open();
    await made.connect();
    writeFileSync(inWork('log'), 'old\n');
    await arm({ kind: 'line', path: inWork('log'), text: 'new' });
    const before = looks();
    appendFileSync(inWork('log'), 'new\n');
    const closeKilled = openAfterKill();
    watch.wake();
    await vi.waitFor(() => expect(news).toMatchObject([{ over: { line: 'new' } }]));
    expect(looks()).toBe(before + 1);
    await closeKilled();
  });

  it('tell a reboot once: what may never come still waits', async () => {
    let spread = 0;
    open({ random: () => spread });
    await made.connect();
    await arm(marker());
    boots('22222222-2222-4222-8222-222222222222');
    // There is one next look, however often somebody asks for one.
    const before = looks();
    spread = 0.1;
    watch.wake();
    spread = 1;
    const askedAtMs = Date.now();
    watch.wake();
    await vi.waitFor(() => expect(looks()).toBe(before + 1));
    expect(Date.now() - askedAtMs).toBeGreaterThan(300);
    await vi.waitFor(waits);
    spread = 0;
    await look();
    expect(news).toMatchObject([
      {
        kind: 'restarted',
        text: {
          title: 'train-a was rebooted or is another machine: what you wait for may never come',
        },
      },
    ]);
    expect(state.armed).toMatchObject([{ restarted: { how: 'reboot' } }]);
  });

  it('end at their latest time, also while nobody can look, and after a start not before one look could', async () => {
    open();
    await made.connect();
    await arm(marker(), 3_600_000);
    await arm({ kind: 'file', path: inWork('other') });
    await lose();
    aheadMs = 3_590_000;
    writeFileSync(inWork('DONE'), '');
    const closeKilled = openAfterKill();
    aheadMs = 3_610_000;
    // Its time has come, and the link with it.
    await comeBack();
    await vi.waitFor(() => expect(news).toMatchObject([{ over: { end: 'happened' } }]));
    await closeKilled();

    await arm(marker(), 60_000);
    await lose();
    aheadMs += 180_000;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    watch.wake();
    await vi.advanceTimersByTimeAsync(1);
    expect(news).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(120_000);
    vi.useRealTimers();
    await vi.waitFor(() => expect(news).toHaveLength(2));
    expect(news[1]).toMatchObject({
      over: { end: 'expired', before: { isThere: true }, seen: null },
    });
    expect(news[1]?.text?.title).toMatch(/Not seen in time: .*DONE/);
    expect(state.armed).toHaveLength(1);
  });

  it('give way to one that waits for the same (U16), and are refused beyond a bound or where nothing can be kept', async () => {
    open();
    await made.connect();
    await arm(marker());
    const [first] = state.armed;
    writeFileSync(inWork('DONE'), 'before it was armed again');
    await arm(marker());
    expect(state.armed).toHaveLength(1);
    expect(state.armed[0]?.id).not.toBe(first?.id);
    await look();
    expect(news).toEqual([]);
    for (let n = 1; n < MAX_ARMED; n += 1) {
      await watch.arm('b1', { kind: 'file', path: `/${String(n)}` }, WEEK_MS);
    }
    expect(await watch.arm('b1', { kind: 'file', path: '/one-more' }, WEEK_MS)).toMatchObject({
      error: { code: 'bad-input', message: 'At most 12 things can be waited for on one box.' },
    });
    await untilLookedAt();
    rmSync(join(root, 'data', 'sentinels'), { recursive: true });
    writeFileSync(join(root, 'data', 'sentinels'), 'a file where the folder should be');
    const refused = await watch.arm('b1', marker(), WEEK_MS);
    expect(refused).toMatchObject({
      error: { message: expect.stringContaining('were not kept') as string },
    });
    // It rings all the same, and that it is not kept is said once.
    appendFileSync(inWork('DONE'), '!');
    await look();
    expect(news).toHaveLength(1);
    expect(problems).toHaveLength(1);
    rmSync(join(root, 'data', 'sentinels'));
  });

  it('put a damaged file aside, say so, and never write over one that cannot be read', async () => {
    mkdirSync(join(root, 'data', 'sentinels'));
    writeFileSync(file(), '{"version":2}');
    open();
    await vi.waitFor(() => expect(problems).toMatchObject([{ code: 'sentinels-unreadable' }]));
    const [aside] = readdirSync(join(root, 'data', 'sentinels'));
    expect(aside).toMatch(/^b1\.json\.unreadable-/);
    expect(readFileSync(join(root, 'data', 'sentinels', aside ?? ''), 'utf8')).toBe(
      '{"version":2}',
    );
    await watch.close();
    hub.dispose();
    mkdirSync(file()); // what is a folder cannot be read as a file
    problems = [];
    open();
    await vi.waitFor(() => expect(problems).toHaveLength(1));
    expect(await watch.arm('b1', marker(), WEEK_MS)).toMatchObject({
      error: { code: 'sentinels-unreadable' },
    });
  });

  it('go on with what can be read of a file that a newer version wrote, and keep that', async () => {
    open();
    await made.connect();
    await arm(marker());
    const book = kept();
    await watch.close();
    hub.dispose();
    const [first] = book.armed;
    const armed = [
      { ...first, colour: 'red' },
      { ...first, awaited: { kind: 'smell' } },
    ];
    const newer = JSON.stringify({ ...book, version: 2, armed });
    writeFileSync(file(), newer);
    problems = [];
    open();
    await vi.waitFor(() => expect(state.armed).toMatchObject([{ id: first?.id }]));
    expect(problems).toMatchObject([{ code: 'sentinels-unreadable' }]);
    const folder = join(root, 'data', 'sentinels');
    const [aside = ''] = readdirSync(folder).filter((name) => name.includes('unreadable'));
    expect(readFileSync(join(folder, aside), 'utf8')).toBe(newer);
  });

  it('give up a box that stalls, say why, ask it less often, and look again', async () => {
    open({ timeoutMs: 3000, everyMs: 200 });
    await made.connect();
    await arm(marker());
    writeFileSync(stall(), '');
    await vi.waitFor(() => expect(state.failed?.times).toBe(2));
    expect(state).toMatchObject({
      failed: { problem: { code: 'command-timeout' } },
      armed: [{ seen: { isThere: false } }],
    });
    const { phase, failed } = state;
    if (phase.kind !== 'waiting' || failed === null) throw new Error('not waiting');
    expect(phase.nextAtMs - failed.atMs).toBeGreaterThan(350);
    expect(news).toEqual([]);
    rmSync(stall());
    writeFileSync(inWork('DONE'), '');
    await vi.waitFor(() => expect(news).toHaveLength(1));
    expect(state.failed).toBeNull();
  });

  it('look no more at a box that moved, say so, and leave nothing of one that was forgotten', async () => {
    open();
    await made.connect();
    await arm(marker());
    writeFileSync(stall(), '');
    watch.wake();
    await vi.waitFor(() => expect(state.phase.kind).toBe('looking'));
    const elsewhere = { ...made.box, address: { ...made.box.address, port: 1 } };
    roster.put(untouchedEntry(elsewhere));
    await vi.waitFor(() => expect(state).toMatchObject({ armed: [], over: [{ end: 'moved' }] }));
    expect([state.phase.kind, news]).toEqual(['off', []]);
    await vi.waitFor(() => expect(kept()).toMatchObject({ armed: [], over: [{ end: 'moved' }] }));
    roster.remove('b1');
    await vi.waitFor(() => expect(existsSync(file())).toBe(false));
    expect(await watch.arm('b1', marker(), WEEK_MS)).toMatchObject({
      error: { code: 'no-such-box' },
    });
  });
});

it.skipIf(!hasDropbear || !hasSshd)(
  'wait on a small SSH server with a small shell, too',
  async () => {
    const dropbear = await startDropbear({ args: [] });
    made.link.disconnect();
    made = trustingLink({
      sshd: { ...sshd, ...dropbear },
      onChange: (link) => roster.change('b1', { link }),
    });
    open();
    await made.connect();
    writeFileSync(inWork('log'), 'old\n');
    await arm({ kind: 'line', path: inWork('log'), text: 'new' });
    await arm({ kind: 'newest', folder: join(root, 'work'), ending: '.pt' });
    appendFileSync(inWork('log'), 'new\n');
    writeFileSync(inWork('step-1.pt'), '');
    watch.wake();
    await vi.waitFor(() => expect(news).toHaveLength(2));
    await watch.close();
    made.link.disconnect();
    await dropbear.stop();
  },
);
