import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NEWS_BOX, samples } from '../../shared/news/news.fixture.ts';
import type { News } from '../../shared/news/news.ts';
import type { Problem } from '../../shared/problem.ts';
import { ok } from '../../shared/result.ts';
import type { Settings } from '../../shared/settings/settings.ts';
import type { Delivery, WebhookState } from '../../shared/webhook/delivery.ts';
import { MAX_DELIVERIES } from '../../shared/webhook/delivery.ts';
import { createRedactor, type Redactor } from '../log/redact.ts';
import { Secret } from '../secrets/secret.ts';
import { openTemporaryDatabase, type Database } from '../storage/database.ts';
import { HeardHub } from '../streams/stream-hub.fixture.ts';
import { answer, startHookServer, type HookServer } from './http-server.fixture.ts';
import type { FindProxies } from './way-out.ts';
import { Webhook, type WebhookWanted } from './webhook.ts';
import { WEBHOOK_SECRET } from './webhook-secret.ts';

const MIN = 60_000;
/** What is told now: each is another. */
const newsOf = (kind: keyof typeof samples): News =>
  samples[kind].news({ id: randomUUID(), atMs: nowMs });

let server: HookServer;
let database: Database;
let hub: HeardHub;
let redactor: Redactor;
let webhook: Webhook;
let shown: WebhookState | null;
let problems: Problem[];
let nowMs: number;
let settings: Pick<Settings, 'webhook'>;
let secrets: Map<string, string>;
let findProxies: FindProxies;
let waiting: { readonly fits: (state: WebhookState) => boolean; readonly done: () => void }[];

function open(timeoutMs = 10_000): void {
  hub = new HeardHub();
  webhook = new Webhook({
    hub,
    entries: database.entries,
    redactor,
    secrets: {
      get: (name) => {
        const value = secrets.get(name);
        return ok(value === undefined ? null : new Secret(value));
      },
      set: (name, value) => {
        secrets.set(name, value);
        return Promise.resolve(ok({ isKept: true }));
      },
      forget: (name) => {
        secrets.delete(name);
        return Promise.resolve(ok(null));
      },
    },
    settings: {
      current: () => settings,
      change: (patch) => {
        settings = { ...settings, ...patch } as typeof settings;
        return Promise.resolve(ok(null));
      },
    },
    findProxies: (origin) => findProxies(origin),
    onProblem: (found) => problems.push(found),
    now: () => nowMs,
    timeoutMs,
  });
  hub.hear('webhook', '', (state) => {
    shown = state;
    waiting = waiting.filter(({ fits, done }) => {
      if (fits(state)) done();
      return !fits(state);
    });
  });
}

async function quit(): Promise<void> {
  await webhook.close();
  hub.dispose();
}

/** Until what is shown of the newest message is like this. */
function until(kind: Delivery['state']['kind'], tries: number): Promise<void> {
  const fits = (state: WebhookState): boolean => {
    const [newest] = state.deliveries;
    return newest?.state.kind === kind && newest.tries === tries;
  };
  return new Promise((done) => {
    if (shown !== null && fits(shown)) done();
    else waiting.push({ fits, done });
  });
}

const newest = (): Delivery | undefined => shown?.deliveries[0];
const set = (part: Partial<WebhookWanted> = {}) =>
  webhook.set({ kind: 'json', url: server.url, token: '', isPlainAllowed: false, ...part });
const bodies = (): Record<string, unknown>[] =>
  server.received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);

beforeEach(async () => {
  database = openTemporaryDatabase();
  redactor = createRedactor();
  [shown, problems, waiting, nowMs] = [null, [], [], 1_799_996_400_000];
  settings = { webhook: null };
  secrets = new Map();
  findProxies = () => Promise.resolve('DIRECT');
  server = await startHookServer();
  open();
});
afterEach(async () => {
  await quit();
  database.close();
  await server.stop();
});

describe('Webhook', () => {
  it('posts an alarm once, with an id, and shows of its address only the host', async () => {
    webhook.take(newsOf('clock'));
    expect(shown?.deliveries ?? []).toEqual([]);
    expect(await set()).toEqual(ok(null));
    webhook.take(newsOf('clock'));
    await until('delivered', 1);
    expect(bodies()).toEqual([
      {
        source: 'leasehold',
        id: newest()?.news.id,
        isTest: false,
        about: 'clock',
        severity: 'critical',
        title: `${NEWS_BOX.name}: Forced stop in 1 h`,
        body: expect.stringContaining('balance low: forced stop') as string,
        box: NEWS_BOX.name,
        clock: 'autodl.low-balance',
        leftMs: 3_600_000,
        needMs: null,
        share: null,
        endsAt: '2027-01-15T08:00:00.000Z',
        rangAt: '2027-01-15T07:00:00.000Z',
      },
    ]);
    expect(server.received[0]?.headers['idempotency-key']).toBe(newest()?.news.id);
    expect(shown?.target).toEqual({
      kind: 'json',
      host: `127.0.0.1:${server.port}`,
      hasToken: false,
    });
    expect(JSON.stringify(shown)).not.toContain('very-secret-token');
    expect(redactor.redact(`failed: ${server.url}`)).not.toContain('very-secret-token');
    expect(JSON.stringify(settings)).not.toContain('very-secret-token');
    expect(await server.connections()).toBe(0);
  });

  it.each([
    ['a fault of the server', answer(500), 'answered 500', MIN / 4],
    ['a wish to wait', answer(429, { 'retry-after': '600' }), 'answered 429', 10 * MIN],
    [
      'an absurd wish to wait',
      answer(503, { 'retry-after': '999999999' }),
      'answered 503',
      360 * MIN,
    ],
    [
      'a cut connection',
      (response: { destroy: () => unknown }) => void response.destroy(),
      'the connection was cut',
      MIN / 4,
    ],
  ])('tries again after %s, with the same id and not before its time', async (...row) => {
    const [, first, because, pauseMs] = row;
    await set();
    server.plan.push(first);
    webhook.take(newsOf('clock'));
    await until('waiting', 1);
    expect(newest()?.state).toEqual({ kind: 'waiting', nextTryMs: nowMs + pauseMs, because });
    nowMs += pauseMs - 1;
    webhook.look();
    expect(server.received).toHaveLength(1);
    nowMs += 1;
    webhook.look();
    await until('delivered', 2);
    const ids = bodies().map(({ id }) => id);
    expect(ids).toEqual([newest()?.news.id, newest()?.news.id]);
    expect(problems).toEqual([]);
  });

  it('does not wait for an answer without end, and leaves no connection', async () => {
    await quit();
    open(300);
    await set();
    server.plan.push(() => undefined);
    webhook.take(newsOf('clock'));
    await until('waiting', 1);
    expect(newest()?.state).toMatchObject({ because: 'no answer within 0.3 s' });
    await expect.poll(() => server.connections()).toBe(0);
  });

  it('goes nowhere that a redirect points to, and gives up what another try would not change', async () => {
    const elsewhere = await startHookServer();
    await set();
    server.plan.push(answer(307, { location: elsewhere.url }), answer(404));
    webhook.take(newsOf('clock'));
    await until('given-up', 1);
    expect(newest()?.state).toMatchObject({
      because: expect.stringContaining('redirect') as string,
    });
    expect(elsewhere.received).toEqual([]);
    webhook.take(newsOf('clock'));
    await until('given-up', 1);
    await expect.poll(() => problems.length).toBe(2);
    expect(problems.map(({ code }) => code)).toEqual(['webhook-failed', 'webhook-failed']);
    expect(JSON.stringify(problems)).not.toContain('very-secret-token');
    await elsewhere.stop();
  });

  it('gives up after a bounded number of tries, and says so', async () => {
    await set();
    for (let i = 0; i < 8; i += 1) server.plan.push(answer(500));
    webhook.take(newsOf('clock'));
    for (let tries = 1; tries < 8; tries += 1) {
      await until('waiting', tries);
      nowMs += 400 * MIN;
      webhook.look();
    }
    await until('given-up', 8);
    expect(problems[0]?.message).toContain('answered 500');
    webhook.look();
    expect(server.received).toHaveLength(8);
  });

  it('goes on after a restart with what was not delivered, and with nothing else', async () => {
    await set();
    webhook.take(newsOf('clock'));
    await until('delivered', 1);
    let cutOff = (): void => undefined;
    const isStalling = new Promise<void>((resolve) => (cutOff = resolve));
    server.plan.push(() => cutOff());
    webhook.take({ ...newsOf('clock'), facts: { leftMs: 0 } });
    await isStalling;
    await quit();
    [shown] = [null];
    open();
    await until('delivered', 1);
    expect(bodies().map(({ leftMs }) => leftMs)).toEqual([3_600_000, 0, 0]);
    const [, cut, again] = bodies();
    expect(again?.['id']).toBe(cut?.['id']);
    await quit();
    open();
    webhook.look();
    expect(server.received).toHaveLength(3);
  });

  it('keeps waiting while its address is not known, and gives up when it is taken away', async () => {
    await set();
    secrets.delete(WEBHOOK_SECRET);
    webhook.take(newsOf('clock'));
    await until('waiting', 1);
    expect(newest()?.state).toMatchObject({
      because: 'its address is not known in this session: enter it again',
    });
    expect(shown?.target).toEqual({ kind: 'json', host: null, hasToken: false });
    await webhook.forget();
    expect(newest()?.state).toMatchObject({ because: 'the webhook was taken away' });
    expect(shown?.target).toBeNull();
    expect(webhook.test()).toMatchObject({ ok: false });
    expect(server.received).toEqual([]);
  });

  it('takes the same news once, however often it is told', async () => {
    await set();
    const news = newsOf('alert');
    webhook.take(news);
    await until('delivered', 1);
    webhook.take(news);
    await quit();
    open();
    webhook.take(news);
    webhook.test();
    await expect.poll(() => server.received.length).toBe(2);
    expect(bodies()).toMatchObject([
      { about: 'alert', finding: 'U23', alert: news.about, severity: 'warn', more: 0, clock: '' },
      { about: 'test', isTest: true },
    ]);
  });

  it('puts aside what it cannot read, and says so', async () => {
    await set();
    await quit();
    database.entries.write('', 'webhook-deliveries', [{ half: true }], nowMs);
    const aside = vi.spyOn(database.entries, 'setAside');
    open();
    expect(problems).toMatchObject([{ code: 'webhook-failed' }]);
    expect(aside).toHaveReturnedWith(ok(null));
    webhook.take(newsOf('clock'));
    await until('delivered', 1);
  });

  it('posts what a budget says, in the same way and with the same tries', async () => {
    webhook.take(newsOf('budget'));
    expect(shown?.deliveries ?? []).toEqual([]);
    await set();
    server.plan.push(answer(500));
    webhook.take(newsOf('budget'));
    await until('waiting', 1);
    nowMs += MIN / 4;
    webhook.look();
    await until('delivered', 2);
    expect(bodies()[1]).toEqual({
      source: 'leasehold',
      id: bodies()[0]?.['id'],
      isTest: false,
      about: 'budget',
      severity: 'critical',
      title: `${NEWS_BOX.name}: the budget is used up`,
      body: '$12.00 of $10.00 a day: used up. Leasehold stops nothing by itself.',
      box: NEWS_BOX.name,
      clock: '',
      leftMs: null,
      share: 1.2,
      endsAt: null,
      rangAt: '2027-01-15T07:00:00.000Z',
    });
    await set({ kind: 'ntfy' });
    webhook.take(newsOf('budget'));
    await until('delivered', 1);
    expect(bodies()[2]).toMatchObject({ priority: 5, tags: ['moneybag'] });
  });

  it.each([
    ['tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2', 'Bearer tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2'],
    ['Basic bWU6d29yZC1vZi1taW5l', 'Basic bWU6d29yZC1vZi1taW5l'],
  ])('sends %s in the header, and shows it nowhere', async (token, header) => {
    await set({ kind: 'ntfy', token: ` ${token} ` });
    webhook.take(newsOf('clock'));
    await until('delivered', 1);
    const word = token.replace('Basic ', '');
    expect(server.received[0]?.headers.authorization).toBe(header);
    expect(shown?.target?.hasToken).toBe(true);
    for (const seen of [
      shown,
      settings,
      problems,
      server.received[0]?.body,
      server.received[0]?.path,
    ]) {
      expect(JSON.stringify(seen)).not.toContain(word);
    }
    expect(redactor.redact(`answered: ${word}`)).not.toContain(word);
    // What is known of it after a restart is in the secrets alone.
    await quit();
    redactor = createRedactor();
    open();
    expect(redactor.redact(`answered: ${word}`)).not.toContain(word);
    webhook.test();
    await until('delivered', 1);
    expect(server.received[1]?.headers.authorization).toBe(header);
    expect(bodies()[1]).toMatchObject({ priority: 3 });
  });

  it('sends a token to no address but the one with which it was entered', async () => {
    await set({ token: 'tk_of-the-first-address' });
    await set();
    webhook.take(newsOf('clock'));
    await until('delivered', 1);
    await set({ kind: 'slack', token: 'tk_of-no-use' });
    webhook.test();
    await expect.poll(() => server.received.length).toBe(2);
    for (const { headers } of server.received) expect(headers.authorization).toBeUndefined();
    expect(shown?.target?.hasToken).toBe(false);
  });

  it.each(['quux\nX-Other: 1', 'quux\u0000b', 'quux two three', 'quuxé'])(
    'refuses the token %j, without repeating it',
    async (token) => {
      const answered = await set({ token });
      expect(answered).toMatchObject({ ok: false, error: { code: 'bad-input' } });
      expect(JSON.stringify(answered)).not.toContain('quux');
      expect(secrets.size).toBe(0);
    },
  );

  it('says that a token is wanted, and does not knock again', async () => {
    await set();
    server.plan.push(answer(401));
    webhook.take(newsOf('clock'));
    await until('given-up', 1);
    expect(newest()?.state).toMatchObject({
      because: 'answered 401: it wants an access token, or another one',
    });
  });

  it('reads what an earlier version kept, and sends it', async () => {
    await set();
    await quit();
    const message = {
      title: 'train-a: 1 h left',
      body: 'balance low',
      boxName: 'train-a',
      clockId: 'autodl.low-balance',
      markMs: 3_600_000,
      endsAtMs: null,
      rangAtMs: nowMs,
    };
    const state = { kind: 'waiting', nextTryMs: nowMs, because: null };
    const id = '7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01';
    database.entries.write(
      '',
      'webhook-deliveries',
      [{ id, message, isTest: false, tries: 0, state }],
      nowMs,
    );
    open();
    await until('delivered', 1);
    expect(bodies()[0]).toMatchObject({ id, about: 'clock', leftMs: 3_600_000, share: null });
  });

  it('speaks as ntfy and Slack want it, and calls nobody in a channel', async () => {
    await set({ kind: 'slack' });
    webhook.take(newsOf('clock'));
    await until('delivered', 1);
    const [slack] = bodies();
    expect(slack?.['text']).toContain('forced stop &lt;!channel&gt;');
    expect(slack?.['text']).toContain(newest()?.news.id);
    await set({ kind: 'ntfy' });
    webhook.test();
    await expect.poll(() => server.received.length).toBe(2);
    expect(server.received[1]?.path).toBe('/hook/');
    expect(bodies()[1]).toMatchObject({ topic: 'very-secret-token', priority: 3 });
  });

  it.each([
    ['no address', { url: 'hooks.example' }],
    ['another protocol', { url: 'ftp://hooks.example/x' }],
    ['an open connection to another machine', { url: 'http://hooks.example/x' }],
    ['a password in it', { url: 'https://me:word@hooks.example/x' }],
    ['no topic', { kind: 'ntfy', url: 'https://ntfy.example/' }],
  ] as const)('refuses %s, without repeating it', async (_what, part) => {
    const answered = await set(part);
    expect(answered).toMatchObject({ ok: false, error: { code: 'bad-input' } });
    expect(JSON.stringify(answered)).not.toContain('hooks.example');
    expect({ settings, secrets }).toEqual({ settings: { webhook: null }, secrets: new Map() });
  });

  it('takes http to another machine only when the person allows it', async () => {
    expect((await set({ url: 'http://hooks.example/x', isPlainAllowed: true })).ok).toBe(true);
  });

  it('keeps a bounded list, and drops what was delivered before what waits', async () => {
    await set();
    webhook.take(newsOf('clock'));
    await until('delivered', 1);
    secrets.clear();
    for (let i = 0; i < MAX_DELIVERIES; i += 1) webhook.take(newsOf('clock'));
    expect(shown?.deliveries).toHaveLength(MAX_DELIVERIES);
    expect(shown?.deliveries.every(({ state }) => state.kind === 'waiting')).toBe(true);
    expect(problems).toEqual([]);
    webhook.take(newsOf('clock'));
    expect(shown?.deliveries).toHaveLength(MAX_DELIVERIES);
    expect(problems[0]?.message).toContain('could not wait');
  });
});
