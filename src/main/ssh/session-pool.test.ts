import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Crowding } from '../../shared/boxes/crowding.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { SessionPool, type Carrier, type SessionUse } from './session-pool.ts';

// What real servers do is tried in sessions.test.ts; here is what depends on time, and servers that no sshd plays.

const LOST = problem('link-lost', 'gone');
const REFUSED = problem('session-refused', 'open failed');

/** A server that gives so many sessions on one connection. */
class FakeServer implements Carrier {
  limit: number;
  open = 0;
  most = 0;
  isClosed = false;
  #close: (reason: Problem) => void = () => undefined;
  readonly closed = new Promise<Problem>((resolve) => (this.#close = resolve));

  constructor(limit: number) {
    this.limit = limit;
  }

  roundTrip(): Promise<void> {
    return Promise.resolve();
  }

  ask(): Result<FakeSession, Problem> {
    if (this.isClosed) return err(problem('not-connected', 'gone'));
    if (this.open >= this.limit) return err(REFUSED);
    this.open += 1;
    this.most = Math.max(this.most, this.open);
    return ok(new FakeSession(() => (this.open -= 1)));
  }

  close(): void {
    this.isClosed = true;
    this.#close(LOST);
  }
}

class FakeSession {
  end: (isTold?: boolean) => void = () => undefined;
  readonly ended: Promise<boolean>;
  constructor(onEnd: () => void) {
    this.ended = new Promise((resolve) => {
      this.end = (isTold = true) => {
        onEnd();
        resolve(isTold);
      };
    });
  }
}

function setUp(
  limit: number,
  openAnother?: () => Promise<Result<FakeServer, Problem>>,
  keepsApart = false,
) {
  const first = new FakeServer(limit);
  const more: FakeServer[] = [];
  const openMore = vi.fn(
    openAnother ??
      (() => {
        const server = new FakeServer(limit);
        more.push(server);
        return Promise.resolve(ok(server));
      }),
  );
  const pool = new SessionPool<FakeServer>({ first, openAnother: openMore, keepsApart });
  const crowding: (Crowding | null)[] = [];
  pool.watchCrowding((now) => crowding.push(now));
  const ask = (use: SessionUse, signal?: AbortSignal) =>
    pool.session({
      use,
      signal,
      open: (server) => Promise.resolve(server.ask()),
      ended: (session: FakeSession) => session.ended,
    });
  const got = async (use: SessionUse): Promise<FakeSession> => {
    const session = await ask(use);
    if (!session.ok) throw new Error(session.error.message);
    return session.value;
  };
  return { first, more, pool, crowding, ask, got, openMore };
}

const noAnswer = () => new Promise<never>(() => undefined);
const refuses = (refusal: Problem) => () => Promise.resolve(err(refusal));

/** Lets everything run that can run without time passing. */
const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

describe('SessionPool', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  describe('of a server on which the end of a program closes what is opened beside it', () => {
    it('gives each stream a connection of its own, and leaves the first to commands, one after the other', async () => {
      const { pool, first, more, got, ask } = setUp(10, undefined, true);
      await Promise.all([got('stream'), got('stream')]);
      const command = await got('command');
      expect([first, ...more].map(({ open }) => open)).toEqual([1, 1, 1]);
      const waiting = ask('command');
      await settle();
      command.end();
      expect(await waiting).toMatchObject({ ok: true });
      expect([first, ...more].map(({ most }) => most)).toEqual([1, 1, 1]);
      pool.close();
    });

    it('opens another for a command that has waited for its turn for a second', async () => {
      const { pool, first, more, got, ask } = setUp(10, undefined, true);
      await got('command');
      const waiting = ask('command');
      await vi.advanceTimersByTimeAsync(999);
      expect(more).toEqual([]);
      await vi.advanceTimersByTimeAsync(1);
      expect(await waiting).toMatchObject({ ok: true });
      expect([first, ...more].map(({ most }) => most)).toEqual([1, 1]);
      pool.close();
    });

    it('opens nothing beside a program that may still be ending, on the first or another', async () => {
      const { pool, first, more, got, ask } = setUp(10, undefined, true);
      const [command, stream] = await Promise.all([got('command'), got('stream')]);
      command.end(false);
      stream.end(false);
      await got('stream');
      const next = ask('command');
      await vi.advanceTimersByTimeAsync(999);
      expect([first, ...more].map(({ open }) => open)).toEqual([0, 0, 1]);
      await vi.advanceTimersByTimeAsync(1);
      expect(await next).toMatchObject({ ok: true });
      expect(first.open).toBe(1);
      pool.close();
      first.close();
    });

    it('shares the last of eight among further streams, and none with commands', async () => {
      const { pool, first, more, ask } = setUp(10, undefined, true);
      const streams = Array.from({ length: 9 }, () => ask('stream'));
      await Promise.all(streams);
      const commands = Array.from({ length: 3 }, async () => {
        const session = await ask('command');
        if (session.ok) session.value.end();
      });
      await Promise.all(commands);
      expect([first, ...more].map(({ most }) => most)).toEqual([1, 1, 1, 1, 1, 1, 1, 3]);
      pool.close();
    });

    it('keeps nothing apart where no other connection is let in', async () => {
      for (const code of ['auth-refused', 'link-lost'] as const) {
        const { pool, first, got } = setUp(10, refuses(problem(code, 'no')), true);
        await got('stream');
        await got('stream');
        await got('command');
        await got('command');
        expect(first.open, code).toBe(4);
        pool.close();
      }
    });

    it('keeps apart again what comes after the pause that a dropped log-in takes', async () => {
      const { pool, first, more, got, openMore } = setUp(10, undefined, true);
      openMore.mockImplementationOnce(refuses(LOST));
      await got('stream');
      await vi.advanceTimersByTimeAsync(3999);
      await got('stream');
      expect([first.open, more]).toEqual([2, []]);
      await vi.advanceTimersByTimeAsync(1);
      await got('stream');
      await got('command');
      expect([first, ...more].map(({ open }) => open)).toEqual([2, 1, 1]);
      pool.close();
    });

    it('waits three seconds for a log-in that hangs, whoever asks, and calls nothing full', async () => {
      const { pool, first, ask, got, crowding } = setUp(10, noAnswer, true);
      const waiting = ask('stream');
      await vi.advanceTimersByTimeAsync(2999);
      expect(first.open).toBe(0);
      await vi.advanceTimersByTimeAsync(1);
      expect(await waiting).toMatchObject({ ok: true });
      await got('stream');
      await got('command');
      await got('command');
      expect(first.open).toBe(4);
      expect(crowding).toEqual([]);
      pool.close();
    });

    it('says that all are in use where that is so', async () => {
      const { pool, got, ask, crowding } = setUp(1, noAnswer, true);
      const running = got('stream');
      await vi.advanceTimersByTimeAsync(3000);
      await running;
      const waiting = ask('command');
      await vi.advanceTimersByTimeAsync(3000);
      expect(crowding).toMatchObject([{ waiting: 1, connections: 1 }]);
      await vi.advanceTimersByTimeAsync(17_000);
      expect(await waiting).toMatchObject({ error: { code: 'sessions-full' } });
      pool.close();
    });
  });

  it('lets short commands take turns for a second before it opens another connection', async () => {
    const { pool, got, ask, openMore } = setUp(1);
    const running = await got('command');
    const waiting = ask('command');
    await vi.advanceTimersByTimeAsync(999);
    expect(openMore).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(openMore).toHaveBeenCalledTimes(1);
    expect(await waiting).toMatchObject({ ok: true });
    running.end();
    pool.close();
  });

  it('closes a further connection that nobody has used for half a minute, and no sooner', async () => {
    const { pool, got, more } = setUp(1);
    const sessions = [await got('stream'), await got('stream')];
    sessions[1]?.end();
    await vi.advanceTimersByTimeAsync(29_999);
    expect(more[0]?.isClosed).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(more[0]?.isClosed).toBe(true);
    pool.close();
  });

  it('names the reason after twenty seconds where no other connection can be had', async () => {
    const { pool, got, ask, crowding } = setUp(1, refuses(problem('link-lost', 'Hung up.')));
    await got('stream');
    const waiting = ask('command');
    await vi.advanceTimersByTimeAsync(19_999);
    expect(crowding.at(-1)).toMatchObject({ waiting: 1, limit: 1, refusal: { code: 'link-lost' } });
    await vi.advanceTimersByTimeAsync(1);
    expect(await waiting).toMatchObject({ ok: false, error: { code: 'sessions-full' } });
    expect(crowding.at(-1)).toBeNull();
    pool.close();
  });

  it('tries a dropped log-in again after a pause, a refused one never', async () => {
    for (const [code, tries] of [
      ['link-lost', 5],
      ['auth-refused', 1],
      ['host-key-changed', 1],
    ] as const) {
      const { pool, got, ask, openMore } = setUp(1, refuses(problem(code, 'no')));
      await got('stream');
      const waiting = ask('command');
      await vi.advanceTimersByTimeAsync(20_000);
      expect(await waiting).toMatchObject({ ok: false });
      expect(openMore, code).toHaveBeenCalledTimes(tries);
      pool.close();
    }
  });

  it('serves in the order of asking, also those whom the server refused at first', async () => {
    const { pool, got, ask } = setUp(2, noAnswer);
    const running = [await got('command'), await got('command')];
    const order: number[] = [];
    const sessions = [1, 2, 3].map(async (n) => {
      const session = await ask('command');
      order.push(n);
      if (session.ok) session.value.end();
    });
    await settle();
    expect(order).toEqual([]);
    for (const each of running) each.end();
    await Promise.all(sessions);
    expect(order).toEqual([1, 2, 3]);
    pool.close();
  });

  it('lets a stream that waits have its turn between commands that never cease', async () => {
    const { pool, got, ask } = setUp(2, noAnswer);
    const first = [await got('command'), await got('command')];
    const stream = ask('stream');
    const later = [ask('command'), ask('command')];
    first[0]?.end();
    expect(await stream).toMatchObject({ ok: true });
    first[1]?.end();
    for (const each of later) {
      const session = await each;
      if (session.ok) session.value.end();
    }
    pool.close();
  });

  it('never has more than ten sessions asked of one connection, whatever the server allows', async () => {
    const { pool, first, more, ask } = setUp(100);
    for (let i = 0; i < 35; i += 1) void ask(i % 2 === 0 ? 'stream' : 'command');
    await vi.advanceTimersByTimeAsync(5000);
    expect([first, ...more].map(({ most }) => most)).toEqual([10, 10, 10, 5]);
    pool.close();
  });

  it('opens eight connections at most', async () => {
    const { pool, more, ask } = setUp(1);
    const waiting = Array.from({ length: 12 }, () => ask('stream'));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(more).toHaveLength(7);
    const answers = await Promise.all(waiting);
    expect(answers.filter(({ ok: isThere }) => isThere)).toHaveLength(8);
    pool.close();
  });

  it('asks a server that refuses with nothing open again after a pause, and ends a further connection like that', async () => {
    const { pool, first, more, got, ask, openMore } = setUp(1);
    (await got('command')).end();
    await settle();
    first.limit = 0;
    const waiting = ask('command');
    await vi.advanceTimersByTimeAsync(0);
    openMore.mockImplementationOnce(() => Promise.resolve(ok(new FakeServer(0))));
    first.limit = 1;
    await vi.advanceTimersByTimeAsync(500);
    expect(await waiting).toMatchObject({ ok: true });
    expect(more.every(({ isClosed }) => !isClosed)).toBe(true);
    pool.close();
  });

  it('asks another connection where one goes at the very moment that it is asked', async () => {
    const { pool, more, got, ask } = setUp(1);
    await got('stream');
    const second = await got('stream');
    second.end();
    await settle();
    more[0]!.isClosed = true;
    expect(await ask('stream')).toMatchObject({ ok: true });
    expect(more).toHaveLength(2);
    pool.close();
  });

  it('ends everything with the first connection, and leaves nobody waiting', async () => {
    const { first, more, got, ask } = setUp(1);
    await got('stream');
    await got('stream');
    const stopper = new AbortController();
    const waiting = [ask('command'), ask('command', stopper.signal)];
    stopper.abort();
    first.close();
    expect(await Promise.all(waiting)).toMatchObject([
      { ok: false, error: { code: 'link-lost' } },
      { ok: false, error: { code: 'aborted' } },
    ]);
    expect(more.every(({ isClosed }) => isClosed)).toBe(true);
    expect(await ask('command')).toMatchObject({ ok: false, error: { code: 'link-lost' } });
  });

  it('closes a further connection that comes when all is over', async () => {
    let arrive: (server: FakeServer) => void = () => undefined;
    const late = new FakeServer(1);
    const { pool, got, ask } = setUp(1, async () => {
      return ok(await new Promise<FakeServer>((resolve) => (arrive = resolve)));
    });
    await got('stream');
    const waiting = ask('command');
    await settle();
    pool.close();
    arrive(late);
    expect(await waiting).toMatchObject({ ok: false });
    await settle();
    expect(late.isClosed).toBe(true);
  });
});
