import type { LookBeside } from '../../shared/patrol/look-detector.ts';
import { ok } from '../../shared/result.ts';
import { OnboxScripts } from '../onbox/onbox-scripts.ts';
import { tick } from '../patrol/tick.ts';
import { lookThroughFiles } from './hostile-files.fixture.ts';
import { isReader, readAll, type HostileReaderName } from './hostile-readers.fixture.ts';
import type { Does } from './hostile-servers.fixture.ts';
import type { Person } from './person.ts';
import { openConnection } from './ssh-connection.ts';

/** What main knows beforehand; all of it crosses to another process. */
export interface Meeting {
  readonly port: number;
  readonly does: Does | HostileReaderName;
  readonly scriptsFolder: string;
  readonly beside: LookBeside;
}

/** What came of it: what a person may read of it, and how often they were asked. */
export interface Met {
  /** The code of a problem, or "well". */
  readonly ending: string;
  readonly told: string;
  readonly questions: number;
  /** Of a reader, what it was given: for a window, were it asked by one. */
  readonly got: unknown;
}

/** Does with a server what main does with a box, and tells all that main got out of it. */
export async function meet({ port, does, scriptsFolder, beside }: Meeting): Promise<Met> {
  const asked: unknown[] = [];
  const met = (ending: string, told: unknown, got: unknown = null): Met => ({
    ending,
    got,
    told: JSON.stringify([told, asked]),
    questions: asked.length,
  });
  const opened = await openTo(port, asked);
  if (!opened.ok) return met(opened.error.code, opened.error);
  const connection = opened.value;
  const scripts = new OnboxScripts(scriptsFolder);
  const done = isReader(does)
    ? await readAll(does, { connection, scripts, beside })
    : does === 'patrols'
      ? await tick(connection, scripts, null, beside)
      : does === 'looks through its files'
        ? await lookThroughFiles(connection)
        : await connection.run('true', { timeoutMs: 120_000 });
  connection.close();
  await connection.closed;
  return done.ok
    ? met('well', connection.banner, isReader(does) ? done.value : null)
    : met(done.error.code, done.error);
}

/** A link to a server, of a person who takes its key and answers whatever it asks. */
export function openTo(port: number, asked: unknown[] = []): ReturnType<typeof openConnection> {
  return openConnection({
    address: { host: '127.0.0.1', port, user: 'u' },
    credentials: [{ kind: 'person', person: personWhoAnswers(asked) }],
    // The worst case: somebody takes the key, and what it has signed is looked at as well.
    judgeHostKey: () => 'accept',
    signal: new AbortController().signal,
  });
}

function personWhoAnswers(asked: unknown[]): Person {
  const answer = (what: unknown, values: readonly string[]): ReturnType<Person['password']> => {
    asked.push(what);
    return { answered: Promise.resolve(ok(values)), loginLost: () => undefined };
  };
  return {
    password: () => answer('password', ['pw']),
    prompts: (round) =>
      answer(
        round,
        round.prompts.map(() => 'pw'),
      ),
    meets: () => undefined,
    recall: () => Promise.resolve(null),
    unlock: () => Promise.reject(new Error('there is no key')),
    loggedIn: () => undefined,
  };
}
