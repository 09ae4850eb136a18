import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SentinelNews } from '../../shared/news/kinds/sentinel-news.ts';
import { ok } from '../../shared/result.ts';
import { isOver } from '../../shared/runs/launch/launched-run.ts';
import { sentinelBook } from '../../shared/sentinels/sentinel-schema.ts';
import { nothingKnown } from '../../shared/runs/launch/known-box.fixture.ts';
import type { TellsTo } from '../../shared/runs/launch/known-box.ts';
import { onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { openPushWaiters } from '../push/push-box.fixture.ts';
import { SentinelWatch } from '../sentinels/sentinel-watch.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { startHookServer, type HookServer } from '../webhook/http-server.fixture.ts';
import { Notices } from './notices.ts';
import { BOX, RunBox, value } from './run-box.fixture.ts';

const HURRIED = { LEASEHOLD_EVERY_S: '0.1', LEASEHOLD_PAUSES_S: '0.1', LEASEHOLD_POST_S: '5' };
const WAITS = 'until [ -e go-on ]; do sleep 0.1; done';

let box: RunBox;
let data: string;
let server: HookServer;
let sentinels: SentinelWatch;
let news: SentinelNews[];
let problems: string[];
let address: URL;
beforeEach(async () => {
  data = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-data-'));
  [news, problems] = [[], []];
  server = await startHookServer();
  address = new URL(server.url);
  box = new RunBox();
  await box.open({ env: HURRIED });
  box.known = {
    ...nothingKnown(),
    tellsTo: { via: 'webhook', host: address.host, isBoxItself: false },
  };
  sentinels = new SentinelWatch({
    ...{ hub: box.hub, roster: box.roster, scripts: onboxScripts, dataFolder: data },
    redact: (text) => text,
    onNews: (each) => void news.push(each),
    onProblem: ({ message }) => void problems.push(message),
    ...{ everyMs: 200, random: () => 0 },
  });
  const waiters = openPushWaiters(
    () => {
      throw new Error('no patrol is asked');
    },
    () => {
      if (box.connection === null) throw new Error('not connected');
      return box.connection;
    },
    {
      webhook: {
        target: () => ok({ kind: 'json' as const, url: address, topic: '', authorization: null }),
      },
    },
  );
  box.notices = new Notices({
    ...{ waiters, sentinels, nameOf: () => BOX.name },
    onProblem: ({ message }) => void problems.push(message),
  });
  box.watch.looked.follow(({ boxId, value: { runs } }) =>
    sentinels.runsAreOver(boxId, new Set(runs.filter(isOver).map(({ id }) => id))),
  );
});
afterEach(async () => {
  await sentinels.close();
  await box.close();
  await server.stop();
  rmSync(data, { recursive: true, force: true });
});

/** What the next start would find. */
const waiting = () =>
  sentinelBook.parse(JSON.parse(readFileSync(join(data, 'sentinels', `${BOX.id}.json`), 'utf8')))
    .armed;
const goOn = (): void => writeFileSync(join(box.home, 'work/go-on'), '');
describe.skipIf(!hasSshd || process.platform !== 'linux')('what is armed beside a run', () => {
  it('is shown before, and the box tells its end though nobody is connected', async () => {
    const planned = value(await box.plan({ command: `${WAITS}; exit 3`, notify: { end: true } }));
    expect(planned.checks.find(({ id }) => id === 'notice-end')).toMatchObject({
      answer: 'pass',
      says: expect.stringContaining(address.host) as string,
    });
    expect(planned.notices?.end?.waiter.text).toContain('rm -f waiter.sh');
    value(await box.launcher.launch(BOX.id, planned.plan));
    expect(problems).toEqual([]);
    await box.hangUp();
    goOn();
    await server.gotten(1);
    expect(JSON.parse(server.received[0]?.body ?? '')).toMatchObject({
      because: 'ended',
      outcome: 'failed',
      exitCode: '3',
    });
  });

  it('tells of a text from the first line of the log on', async () => {
    const { id } = await box.launch({
      command: `echo "step 1: loss is nan"; ${WAITS}`,
      notify: { line: 'loss is nan' },
    });
    await vi.waitFor(() =>
      expect(news).toMatchObject([
        { kind: 'over', over: { end: 'happened', line: 'step 1: loss is nan' } },
      ]),
    );
    goOn();
    await box.until(id, 'done');
  });

  it('waits for no text any more once the run is over, and has read the log to its end', async () => {
    const { id } = await box.launch({
      command: `${WAITS}; echo "loss is nan"`,
      notify: { line: 'loss is nan' },
    });
    const other = await box.launch({ command: WAITS, notify: { line: 'never said' } });
    goOn();
    await box.until(id, 'done');
    await box.until(other.id, 'done');
    await vi.waitFor(() => expect(waiting()).toEqual([]));
    await vi.waitFor(() =>
      expect(news).toMatchObject([{ kind: 'over', over: { line: 'loss is nan' } }]),
    );
  });

  it('starts the run all the same where it cannot be armed, and says so', async () => {
    const planned = value(await box.plan({ command: WAITS, notify: { end: true } }));
    address = new URL('http://127.0.0.1:9/elsewhere');
    const runs = value(await box.launcher.launch(BOX.id, planned.plan));
    expect(box.in(runs, planned.runId).status.kind).toBe('running');
    expect(problems).toEqual([
      expect.stringMatching(/ runs on .*The message at its end is not armed: Another address/),
    ]);
    goOn();
    await box.until(planned.runId, 'done');
  });

  it('is a warning where it cannot be, which stops no launch', async () => {
    const says = async (tellsTo: TellsTo | 'absent' | null) => {
      box.known = tellsTo === 'absent' ? nothingKnown() : { ...nothingKnown(), tellsTo };
      const { checks, notices } = value(await box.plan({ notify: { end: true } }));
      expect(notices).toBeUndefined();
      return checks.find(({ id }) => id === 'notice-end');
    };
    expect(await says(null)).toMatchObject({ answer: 'warn' });
    expect(await says({ via: 'own', host: 'localhost:8080', isBoxItself: true })).toMatchObject({
      answer: 'warn',
      says: expect.stringContaining('localhost:8080 is the box itself') as string,
    });
    expect(await says('absent')).toMatchObject({
      answer: 'warn',
      says: expect.stringContaining('command line') as string,
    });
  });
});
