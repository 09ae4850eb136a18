import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { TreeLookReader, type OnHash } from '../../shared/transfer/read-tree-look.ts';
import { readTreeRecord, type TreeRecord } from '../../shared/transfer/tree-record.ts';
import type { TreeLook } from '../../shared/transfer/tree-look.ts';
import {
  afterMark,
  newMark,
  noInput,
  type OnboxScripts,
  type OnboxValues,
} from '../onbox/onbox-scripts.ts';
import { linesOf, textOf } from '../onbox/text-of.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { pushRefused } from './push-refused.ts';
import { sha256 } from '../storage/sha256.ts';

/** A slow network disk hashes some thousand files a minute. */
const LOOK_TIMEOUT_MS = 10 * 60_000;
const PLACE_TIMEOUT_MS = 5 * 60_000;
/** What it is and its hash, each with a name as long as they may be. */
const CHARS_A_PATH = 8400;
const MAX_CHARS = 128 * 1024 * 1024;

/** Why a look brought nothing, in the words of whoever looks. */
export interface LookProblems {
  /** The folder did not answer within two seconds. */
  readonly isLate: Problem;
  readonly notWhole: Problem;
}

const OF_A_PUSH: LookProblems = {
  isLate: problem(
    'code-not-sent',
    'The folder on the box did not answer within 2 s, as where it lies on a server that went away.',
  ),
  notWhole: problem('code-not-sent', 'The box did not tell as a whole what it has.'),
};

export interface BoxTreeOptions {
  readonly scripts: OnboxScripts;
  /** As the request names it. */
  readonly folder: string;
  /** Every file is read, also where nothing tells of a change since its hash was kept. */
  readonly isRehashing: boolean;
  readonly signal?: AbortSignal;
  /** By what the box finds the hashes that it keeps of the folder; absent: the folder. */
  readonly recordName?: string;
  /** Absent: those of a push. */
  readonly problems?: LookProblems;
}

export interface TreeLookOptions {
  /** Of what waits of that tree to be moved into the folder, in its place. */
  readonly staged?: string;
  /** Of what the box has kept hashes of, whatever is asked for. */
  readonly isRecorded?: boolean;
  /** What is hashed now, the next look need not read. */
  readonly isKept?: boolean;
  /** Each hash as the box tells it. With this a look takes as long as it takes: its link shows whether the box is alive. */
  readonly onHash?: OnHash;
}

/** The folder of one box that a working tree belongs into. */
export class BoxTree {
  readonly #options: BoxTreeOptions;

  constructor(options: BoxTreeOptions) {
    this.#options = options;
  }

  /** What the box has of these paths. */
  async look(
    connection: SshConnection,
    paths: readonly string[],
    options: TreeLookOptions = {},
  ): Promise<Result<TreeLook, Problem>> {
    const isOdd = (path: string): boolean => /[\\\n]/.test(path);
    const odd = paths.filter(isOdd);
    const plain = odd.length === 0 ? paths : paths.filter((path) => !isOdd(path));
    const looked = await this.#look(connection, plain, options, false);
    if (!looked.ok || odd.length === 0) return looked;
    const more = await this.#look(connection, odd, options, true);
    return more.ok
      ? ok({
          ...looked.value,
          seen: new Map([...looked.value.seen, ...more.value.seen]),
        })
      : more;
  }

  /** The same in two steps: what the box has kept hashes of is looked at while `paths` are still being found. */
  async lookAhead(
    connection: SshConnection,
    paths: Promise<readonly string[] | null>,
  ): Promise<Result<TreeLook, Problem>> {
    const [first, all] = await Promise.all([
      this.look(connection, [], { isRecorded: true }),
      paths,
    ]);
    if (!first.ok) return first;
    const { seen } = first.value;
    const rest = (all ?? []).filter((path) => !seen.has(path));
    if (rest.length === 0) return first;
    const more = await this.look(connection, rest);
    return more.ok ? ok({ ...more.value, seen: new Map([...seen, ...more.value.seen]) }) : more;
  }

  async #look(
    connection: SshConnection,
    paths: readonly string[],
    { staged = '', isRecorded = false, isKept = false, onHash }: TreeLookOptions,
    isOdd: boolean,
  ): Promise<Result<TreeLook, Problem>> {
    const { isLate, notWhole } = this.#options.problems ?? OF_A_PUSH;
    const mark = newMark();
    const yes = (is: boolean): string => (is ? 'yes' : '');
    const reader = new TreeLookReader(mark, onHash);
    const most = Math.min(MAX_CHARS, 64 * 1024 + paths.length * CHARS_A_PATH);
    const told = await this.#read(
      connection,
      'tree-look.sh',
      {
        LEASEHOLD_MARK: mark,
        LEASEHOLD_TREE: staged,
        LEASEHOLD_TRUST: yes(!this.#options.isRehashing),
        LEASEHOLD_KEEP: yes(isKept),
        LEASEHOLD_RECORDED: yes(isRecorded),
        LEASEHOLD_ODD: yes(isOdd),
      },
      Buffer.from(paths.map((path) => `./${path}\0`).join(''), 'utf8'),
      {
        timeoutMs: onHash === undefined ? LOOK_TIMEOUT_MS : null,
        read: (stdout) =>
          linesOf(stdout, isRecorded ? MAX_CHARS : most, (line) => reader.take(line)),
      },
    );
    if (!told.ok) return told;
    const look = reader.end();
    if (look === null) return err(notWhole);
    return look.kind === 'late' ? err(isLate) : ok(look);
  }

  /** What was put there last; null: nothing that can be read. */
  async record(connection: SshConnection): Promise<Result<TreeRecord | null, Problem>> {
    const none = Buffer.alloc(0);
    const text = await this.#read<string>(connection, 'tree-record.sh', {}, none, {
      timeoutMs: LOOK_TIMEOUT_MS,
      read: (stdout) => textOf(stdout, MAX_CHARS),
    });
    return text.ok ? ok(readTreeRecord(text.value)) : text;
  }

  /** Lets what this stream holds wait on the box. Nothing in the folder is touched. */
  receive(
    connection: SshConnection,
    tree: string,
    stream: AsyncIterable<Uint8Array>,
  ): Promise<Result<null, Problem>> {
    return this.#tell(connection, 'tree-receive.sh', tree, stream, null, 'received');
  }

  /** Moves what waits into the folder, and removes what was said to be gone. */
  place(connection: SshConnection, tree: string): Promise<Result<null, Problem>> {
    return this.#tell(connection, 'tree-place.sh', tree, noInput(), PLACE_TIMEOUT_MS, 'placed');
  }

  async #read<T>(
    connection: SshConnection,
    script: 'tree-look.sh' | 'tree-record.sh',
    values: OnboxValues,
    input: Buffer,
    reading: {
      readonly timeoutMs: number | null;
      readonly read: (stdout: AsyncIterable<Buffer>) => Promise<Result<T, Problem>>;
    },
  ): Promise<Result<T, Problem>> {
    const { scripts, signal } = this.#options;
    const ran = await scripts.stream<T>(
      connection,
      script,
      { ...values, ...this.#place },
      once(input),
      { ...reading, ...(signal === undefined ? {} : { signal }) },
    );
    return ran.ok ? ok(ran.value.value) : ran;
  }

  async #tell(
    connection: SshConnection,
    script: 'tree-receive.sh' | 'tree-place.sh',
    tree: string,
    input: AsyncIterable<Uint8Array>,
    timeoutMs: number | null,
    done: string,
  ): Promise<Result<null, Problem>> {
    const { scripts, signal } = this.#options;
    const mark = newMark();
    const values = {
      LEASEHOLD_MARK: mark,
      LEASEHOLD_TREE: tree,
      ...this.#place,
    };
    const ran = await scripts.stream<string>(connection, script, values, input, {
      timeoutMs,
      ...(signal === undefined ? {} : { signal }),
      read: (stdout) => textOf(stdout, 64 * 1024),
    });
    if (!ran.ok) return ran;
    const said = afterMark(ran.value.value, mark);
    return said === done ? ok(null) : err(pushRefused(/^refused ([a-z-]+)$/.exec(said)?.[1] ?? ''));
  }

  get #place(): OnboxValues {
    const { folder, recordName = folder } = this.#options;
    return { LEASEHOLD_FOLDER: folder, LEASEHOLD_KEY: recordKey(recordName) };
  }
}

/** Under which name the box keeps what was put into a folder last. */
export const recordKey = (recordName: string): string => sha256(recordName).slice(0, 32);

async function* once(bytes: Buffer): AsyncGenerator<Uint8Array, void> {
  await Promise.resolve();
  if (bytes.length > 0) yield bytes;
}
