import { join } from 'node:path';
import { isArchived } from '../../shared/boxes/archived.ts';
import { loginOf } from '../../shared/boxes/box-login.ts';
import type { Box } from '../../shared/boxes/box.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { openHostKeys } from '../known-hosts/host-keys.ts';
import { openKnownHosts, usualKnownHostsFiles } from '../known-hosts/user-files.ts';
import type { Log } from '../log/log.ts';
import { OnboxScripts } from '../onbox/onbox-scripts.ts';
import { withConnection } from '../patrol/with-connection.ts';
import { gatherCredentials } from '../ssh/credentials.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { dataFolder } from '../storage/data-folder.ts';
import { openDatabase, type Database } from '../storage/database.ts';
import type { Listing } from '../storage/rows.ts';
import { LOCAL_HASHES, LocalHashes } from '../transfer/local-hashes.ts';
import type { CommandContext, Refused } from './command.ts';
import { printable } from './printable.ts';

const CONNECT_TIMEOUT_MS = 60_000;

const nothing = (): void => undefined;
const quiet: Log = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  fatal: nothing,
  child: () => quiet,
};

/** What the help of each command says that reaches a box. */
export const REACHES_A_BOX = [
  'Without the window and without a question. The box is one that was added in Leasehold, by its name; its host key must be',
  'trusted there, and its key must need no passphrase.',
];

/** A box that was added in Leasehold, and what a command needs to work with it. */
export interface NamedBox {
  readonly box: Box;
  readonly database: Database;
  /** The data folder. */
  readonly folder: string;
  readonly scripts: OnboxScripts;
  /** Of the files of this computer that were pushed. */
  readonly hashes: LocalHashes;
  readonly context: CommandContext;
}

/** Finds the box of that name; the database is open for as long as `act` takes. */
export const withNamedBox = <T>(
  name: string,
  context: CommandContext,
  act: (known: NamedBox) => Promise<T>,
): Promise<T | Refused> =>
  withNamedBoxes<T | Refused>([name], context, ([known]) =>
    known === undefined ? Promise.resolve({ refused: 'No box is named.' }) : act(known),
  );

/** The same for several boxes. */
export const withNamedBoxes = <T>(
  names: readonly string[],
  context: CommandContext,
  act: (known: readonly NamedBox[]) => Promise<T>,
): Promise<T | Refused> => withBoxes(boxesCalled(names), context, act);

/** The same for all of them. */
export const withEveryBox = <T>(
  context: CommandContext,
  act: (known: readonly NamedBox[]) => Promise<T>,
): Promise<T | Refused> => withBoxes(everyBox, context, act);

/** The error is a sentence for people. SECURITY: no box that is gone: somebody else's machine may be at its address. */
type Choose = (listed: Listing<Box>) => Result<readonly Box[], string>;

const boxesCalled =
  (names: readonly string[]): Choose =>
  ({ rows, unreadable }) => {
    const called: Box[] = [];
    for (const name of names) {
      const all = rows.filter((each) => each.name === name);
      const [box, other] = all.filter((each) => !isArchived(each));
      if (box !== undefined && other === undefined) called.push(box);
      else if (box !== undefined) return err(`Several boxes are called ${printable(name)}.`);
      else if (all.length > 0) return err(`${printable(name)} is gone, and in the archive.`);
      else return err([`No box is called ${printable(name)}.`, ...wordsOf(unreadable)].join(' '));
    }
    return ok(called);
  };

const everyBox: Choose = ({ rows, unreadable }) =>
  unreadable.length === 0
    ? ok(rows.filter((box) => !isArchived(box)))
    : err(wordsOf(unreadable).join(' '));

const wordsOf = (problems: readonly Problem[]): readonly string[] =>
  problems.map(({ message }) => message);

async function withBoxes<T>(
  choose: Choose,
  context: CommandContext,
  act: (known: readonly NamedBox[]) => Promise<T>,
): Promise<T | Refused> {
  const folder = dataFolder(context.env, context.platform);
  const { database, isKept, problems } = openDatabase({ folder });
  try {
    if (!isKept) return { refused: wordsOf(problems).join(' ') };
    const listed = database.boxes.list();
    if (!listed.ok) return { refused: listed.error.message };
    const chosen = choose(listed.value);
    if (!chosen.ok) return { refused: chosen.error };
    const scripts = new OnboxScripts(join(context.root, 'resources', 'onbox'));
    const hashes = new LocalHashes(join(folder, LOCAL_HASHES));
    return await act(
      chosen.value.map((box) => ({ box, database, folder, scripts, hashes, context })),
    );
  } finally {
    database.close();
  }
}

/** One try to reach the box, which is left again afterwards. */
export function overItsLink<T>(
  { box, database, context: { env, platform } }: NamedBox,
  act: (connection: SshConnection) => Promise<Result<T, Problem>>,
): Promise<Result<T, Problem>> {
  return withConnection(
    {
      box,
      hostKeys: openHostKeys({
        table: database.hostKeys,
        knownElsewhere: openKnownHosts(usualKnownHostsFiles(env, platform)),
        onChange: nothing,
      }),
      proxyPassword: () =>
        err(
          problem(
            'proxy-password-missing',
            'The password of the proxy is known to the window only.',
          ),
        ),
      log: quiet,
      gatherCredentials: (machine, signal) =>
        gatherCredentials({
          boxName: machine.name,
          login: loginOf(machine, null),
          env,
          platform,
          person: null,
          signal,
        }),
    },
    CONNECT_TIMEOUT_MS,
    act,
  );
}

/** A box that did not answer. `asked`: what --json would have told of it. */
export async function tellUnreached(
  { box, context: { out, err: errors } }: NamedBox,
  { code, message, detail, nextStep }: Problem,
  asked: 'runs' | 'run' | 'checks' | 'plan' | 'queue' | 'sweep' | 'pull' | 'home' | 'inspection',
  isJson: boolean,
): Promise<1> {
  const told = { box: box.name, problem: { code, message, detail }, [asked]: null };
  if (isJson) await out.json(told);
  else await errors.line([`${box.name}: ${message}`, nextStep ?? ''].join(' ').trimEnd());
  return 1;
}
