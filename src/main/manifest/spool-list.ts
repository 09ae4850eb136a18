import { open } from 'node:fs/promises';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { readListHead, type ListHead } from '../../shared/runs/launch/read-run-results.ts';
import type { ResultPlace } from '../../shared/transfer/result-root.ts';
import { newMark, noInput, type OnboxScripts } from '../onbox/onbox-scripts.ts';
import { listRefused, placeValues } from '../runs/list-results.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { OWNER_ONLY_FILE } from '../storage/folder.ts';

/** Some ten million files. */
const MOST_BYTES = 2_000_000_000;
/** Of a network disk with so many. */
const LIMIT_S = 1800;
const SLACK_MS = 60_000;
/** What start-up files may print before the list. */
const MOST_HEAD_BYTES = 100_000;

export interface SpoolOptions {
  readonly signal: AbortSignal;
  /** Told with each piece that comes. */
  readonly onFiles: (files: number) => void;
}

/** A list of a folder, of whatever length, into a file, as the box tells it: a NUL behind each file. */
export async function spoolList(
  connection: Pick<SshConnection, 'runBytes'>,
  scripts: OnboxScripts,
  place: ResultPlace,
  into: string,
  { signal, onFiles }: SpoolOptions,
): Promise<Result<ListHead, Problem>> {
  const mark = newMark();
  const file = await open(into, 'w', OWNER_ONLY_FILE);
  try {
    const spool = new Spool(mark, (bytes) => file.writeFile(bytes));
    const ran = await scripts.stream<null>(
      connection,
      'run-results.sh',
      {
        LEASEHOLD_MARK: mark,
        ...placeValues(place),
        LEASEHOLD_MOST: String(MOST_BYTES),
        LEASEHOLD_LIMIT_S: String(LIMIT_S),
      },
      noInput(),
      {
        ...{ signal, timeoutMs: LIMIT_S * 1000 + SLACK_MS },
        read: async (stdout) => {
          for await (const piece of stdout) {
            // SECURITY: a box that goes on telling is not listened to for ever.
            if (!(await spool.take(piece)) || spool.bytes > MOST_BYTES + MOST_HEAD_BYTES) break;
            onFiles(spool.files);
          }
          return ok(null);
        },
      },
    );
    if (!ran.ok) return ran;
    const { head } = spool;
    if (head === null || typeof head === 'string') return err(listRefused(head));
    if (spool.end() !== 'whole') return err(notToldWhole());
    return ok(head);
  } finally {
    await file.close();
  }
}

function notToldWhole(): Problem {
  const said =
    'The box did not list the folder to its end: it has too many files, answers too slowly, or could not read all of it.';
  return problem('results-not-read', said);
}

/** Finds the list between the lines around it, with no more than a piece of it in memory. */
class Spool {
  head: ListHead | string | null = null;
  files = 0;
  bytes = 0;
  readonly #mark: string;
  readonly #write: (bytes: Buffer) => Promise<void>;
  /** Before the list; then its end, which may be the line behind it. */
  #held = Buffer.alloc(0);
  #isEndedByNul = true;
  readonly #endLine: Buffer;

  constructor(mark: string, write: (bytes: Buffer) => Promise<void>) {
    this.#mark = mark;
    this.#write = write;
    this.#endLine = Buffer.from(`\n${mark} whole\n`);
  }

  /** False: there is nothing more to be had from it. */
  async take(piece: Buffer): Promise<boolean> {
    this.bytes += piece.length;
    this.#held = Buffer.concat([this.#held, piece]);
    if (this.head === null && !this.#findHead()) return this.#held.length <= MOST_HEAD_BYTES;
    if (typeof this.head === 'string') return false;
    await this.#pass(this.#held.length - this.#endLine.length);
    return true;
  }

  end(): 'whole' | 'cut' {
    return this.#held.equals(this.#endLine) && this.#isEndedByNul ? 'whole' : 'cut';
  }

  #findHead(): boolean {
    const begun = this.#held.indexOf(`${this.#mark} `);
    const lineEnd = begun < 0 ? -1 : this.#held.indexOf('\n', begun);
    if (lineEnd < 0) return false;
    const line = this.#held.toString('utf8', begun + this.#mark.length + 1, lineEnd);
    this.head = readListHead(line);
    this.#held = this.#held.subarray(lineEnd + 1);
    return this.head !== null;
  }

  async #pass(bytes: number): Promise<void> {
    if (bytes <= 0) return;
    const passed = this.#held.subarray(0, bytes);
    this.#held = this.#held.subarray(bytes);
    for (let at = passed.indexOf(0); at >= 0; at = passed.indexOf(0, at + 1)) this.files += 1;
    this.#isEndedByNul = passed.at(-1) === 0;
    await this.#write(passed);
  }
}
