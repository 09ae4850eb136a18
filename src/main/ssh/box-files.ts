import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import type { Attributes, Client, FileEntry, SFTPWrapper, Stats } from 'ssh2';
import type { BoxFile, LinkEnd } from '../../shared/files/box-file.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { ChangePass } from '../../shared/teardown/change-pass.ts';
import type { ConnectionLife } from './exit-status.ts';
import {
  exists,
  fileProblem,
  hasUsableName,
  isEndOfFile,
  isServersWord,
  nameProblem,
} from './file-problem.ts';
import { openSession } from './open-session.ts';
import { untilEnd } from './until-end.ts';

/** A disk that sleeps or hangs in the network takes long; nobody waits for ever. */
const ANSWER_TIMEOUT_MS = 30_000;
/** Every server takes this much in one request. */
const PIECE_BYTES = 32 * 1024;
/** SECURITY: a box that sends crumbs would be asked half a million times for one text. A server that sends what there is needs few. */
const MAX_ANSWERS_A_PIECE = 64;
/** SECURITY: pages with nothing new in them, one after the other; a server that has nothing more says so. */
const MAX_BARREN_PAGES = 10;
/** No disk has a longer name: 255 bytes are usual. SECURITY: a hundred thousand of any length would be all of the memory. */
const MAX_NAME_CHARS = 1024;
/** SECURITY: with a slash in it a name would be the way to another place. */
const isName = (name: string): boolean => name.length <= MAX_NAME_CHARS && !/[/\0]/.test(name);
/** 2 MiB on their way: 20 MB/s over a round trip of 100 ms. */
const MAX_IN_FLIGHT = 64;

export interface ReadFileOptions<T> {
  /** In bytes; from the beginning where nothing is said. */
  readonly start?: number;
  /** The first byte that is not wanted any more; to the end of the file where nothing is said. */
  readonly end?: number;
  readonly signal?: AbortSignal;
  /**
   * Takes the bytes as they come; whoever takes them slowly slows the box. They end early where something goes wrong: only the
   * outcome tells.
   */
  readonly read: (bytes: AsyncIterable<Buffer>) => Promise<Result<T, Problem>>;
}

export interface WriteFileOptions {
  /** As chmod takes it; what is usual on the box where nothing is said. */
  readonly mode?: number | null;
  readonly signal?: AbortSignal;
}

const KINDS: ReadonlyMap<number, BoxFile['kind']> = new Map([
  [constants.S_IFREG, 'file'],
  [constants.S_IFDIR, 'folder'],
  [constants.S_IFLNK, 'link'],
]);

type Done<T> = (cause: Error | null | undefined, value: T) => void;

/**
 * Files of a box over SFTP, on one of the connection's sessions until it is closed.
 */
export class BoxFiles {
  readonly #sftp: SFTPWrapper;
  /** Settles when the channel is gone, however it went. Never rejects. */
  readonly ended: Promise<Problem>;

  constructor(sftp: SFTPWrapper, life: ConnectionLife) {
    this.#sftp = sftp;
    sftp.on('error', () => undefined); // followed by its close
    const closed = new Promise<Problem>((resolve) => {
      sftp.once('close', () => {
        const over = problem('file-failed', 'The box’s SFTP server ended.');
        // The channels of a lost connection close first, and the connection right after them.
        setImmediate(() => (life.isGone() ? void life.closed.then(resolve) : resolve(over)));
      });
    });
    this.ended = untilEnd(closed, life.closed, (because) => because);
  }

  /** Gives the session back. */
  close(): void {
    this.#sftp.end();
  }

  /** In pages, as the server gives them: a folder may hold more than anybody wants in memory. In no order. */
  async *list(folder: string): AsyncGenerator<Result<readonly BoxFile[], Problem>, void> {
    const opened = await this.#ask<Buffer>(folder, (done) => this.#sftp.opendir(folder, done));
    if (!opened.ok) {
      yield opened;
      return;
    }
    try {
      for (let barren = 0; ;) {
        const page = await this.#ask<FileEntry[] | null>(folder, (done) =>
          this.#sftp.readdir(opened.value, (cause, list) => {
            if (isEndOfFile(cause)) done(null, null);
            else done(cause, list);
          }),
        );
        if (!page.ok) {
          yield page;
          return;
        }
        if (page.value === null) return;
        const entries = page.value.filter(({ filename }) => !/^\.\.?$/.test(filename));
        barren = entries.length > 0 ? 0 : barren + 1;
        if (barren > MAX_BARREN_PAGES || !entries.every(({ filename }) => isName(filename))) {
          yield err(problem('file-failed', 'The box lists what no folder can hold.'));
          return;
        }
        yield ok(page.value.map(toBoxFile));
      }
    } finally {
      await this.#close(folder, opened.value);
    }
  }

  /** Of a link itself, and not of what it points at. */
  async stat(path: string): Promise<Result<BoxFile, Problem>> {
    const found = await this.#ask<Stats>(path, (done) => this.#sftp.lstat(path, done));
    const filename = path.replace(/\/+$/, '').split('/').at(-1) ?? path;
    return found.ok ? ok(toBoxFile({ filename, attrs: found.value })) : found;
  }

  /** Its whole path, with no link on the way; `.` is the folder in which a log-in begins. */
  realPath(path: string): Promise<Result<string, Problem>> {
    return this.#ask<string>(path, (done) => this.#sftp.realpath(path, done));
  }

  /** Where a link leads. A broken link is no failure, and one into a folder that may not be entered is not called broken. */
  async follow(path: string): Promise<LinkEnd> {
    const [target, end] = await Promise.all([
      this.#ask<string>(path, (done) => this.#sftp.readlink(path, done)),
      this.#ask<Stats>(path, (done) => this.#sftp.stat(path, done)),
    ]);
    return {
      path,
      target: target.ok ? target.value : null,
      kind: end.ok ? kindOf(end.value.mode) : end.error.code === 'no-such-file' ? 'nothing' : null,
    };
  }

  async read<T>(
    path: string,
    { start = 0, end = Infinity, signal, read }: ReadFileOptions<T>,
  ): Promise<Result<T, Problem>> {
    const opened = await this.#ask<Buffer>(path, (done) => this.#sftp.open(path, 'r', done));
    if (!opened.ok) return opened;
    const handle = opened.value;
    let fault: Problem | null = null;
    const ask = (at: number, length: number): Promise<Result<Buffer, Problem>> =>
      this.#readPiece(path, handle, at, length);
    async function* bytes(): AsyncGenerator<Buffer, void> {
      const coming: {
        readonly length: number;
        readonly piece: Promise<Result<Buffer, Problem>>;
      }[] = [];
      let asked = start;
      // One request more with each piece: a short file is not asked for 64 times, and a long one soon fills the line.
      for (let inFlight = 2; ; inFlight = Math.min(MAX_IN_FLIGHT, inFlight + 1)) {
        while (coming.length < inFlight && asked < end) {
          const length = Math.min(PIECE_BYTES, end - asked);
          coming.push({ length, piece: ask(asked, length) });
          asked += length;
        }
        const next = coming.shift();
        if (next === undefined) return;
        const got = await next.piece;
        if (signal?.aborted === true) fault = stopped();
        else if (!got.ok) fault = got.error;
        if (fault !== null || !got.ok) return;
        if (got.value.length > 0) yield got.value;
        if (got.value.length < next.length) return;
      }
    }
    try {
      const taken = await read(bytes());
      return fault === null ? taken : err(fault);
    } finally {
      await this.#close(path, handle);
    }
  }

  /**
   * Puts a new file in its place in one step: whoever reads it there finds nothing or all of it. Replaces nothing, also not what comes
   * there meanwhile. What the input throws goes to the caller, and nothing is changed.
   */
  async write(
    path: string,
    input: AsyncIterable<Uint8Array>,
    { mode = null, signal }: WriteFileOptions = {},
  ): Promise<Result<{ readonly sizeBytes: number }, Problem>> {
    const there = await this.stat(path);
    if (there.ok) return err(exists(path));
    if (there.error.code !== 'no-such-file') return there;
    const temporary = `${path.slice(0, path.lastIndexOf('/') + 1)}.leasehold-${randomBytes(8).toString('hex')}`;
    const sftp = this.#sftp;
    // SECURITY: nobody else reads it before it has the mode that it is to have.
    const first = mode === null ? {} : { mode: 0o600 };
    const opened = await this.#ask<Buffer>(path, (done) => sftp.open(temporary, 'wx', first, done));
    if (!opened.ok) return opened;
    let isInPlace = false;
    try {
      const written = await this.#fill(path, opened.value, input, { mode, signal });
      if (!written.ok) return written;
      const named = await this.#name(temporary, path);
      isInPlace = named.ok || named.error.code === 'command-unknown';
      return named.ok ? written : named;
    } finally {
      if (!isInPlace) await this.#ask<null>(path, (done) => sftp.unlink(temporary, wordless(done)));
    }
  }

  /** One folder, in one that is there. */
  mkdir(path: string): Promise<Result<null, Problem>> {
    return this.#ask<null>(path, (done) => this.#sftp.mkdir(path, wordless(done))).then((made) =>
      this.#orExists(path, made),
    );
  }

  /** Replaces nothing. */
  async rename(from: string, to: string): Promise<Result<null, Problem>> {
    const refused = nameProblem(to);
    if (refused !== null) return err(refused);
    const there = await this.stat(to);
    if (there.ok) return err(exists(to));
    return this.#ask<null>(from, (done) => this.#sftp.rename(from, to, wordless(done)));
  }

  /** SECURITY: a file, a link or an empty folder, for who has taken the pass for it. */
  async remove(path: string, pass: ChangePass): Promise<Result<null, Problem>> {
    if (!pass.isTakenTo('delete')) return err(pass.whyNot);
    const found = await this.stat(path);
    if (!found.ok) return found;
    const sftp = this.#sftp;
    return this.#ask<null>(path, (done) => {
      if (found.value.kind === 'folder') sftp.rmdir(path, wordless(done));
      else sftp.unlink(path, wordless(done));
    });
  }

  async #fill(
    path: string,
    handle: Buffer,
    input: AsyncIterable<Uint8Array>,
    { mode, signal }: { readonly mode: number | null; readonly signal: AbortSignal | undefined },
  ): Promise<Result<{ readonly sizeBytes: number }, Problem>> {
    const sftp = this.#sftp;
    let sizeBytes = 0;
    let fault: Problem | null = null;
    const underWay: Promise<Result<null, Problem>>[] = [];
    const settleOne = async (): Promise<void> => {
      const one = await underWay.shift();
      if (one !== undefined && !one.ok) fault ??= one.error;
    };
    try {
      for await (const bytes of input) {
        const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
        for (let from = 0; from < buffer.length && fault === null; from += PIECE_BYTES) {
          const piece = buffer.subarray(from, from + PIECE_BYTES);
          const at = sizeBytes;
          sizeBytes += piece.length;
          underWay.push(
            this.#ask<null>(path, (done) =>
              sftp.write(handle, piece, 0, piece.length, at, wordless(done)),
            ),
          );
          if (underWay.length >= MAX_IN_FLIGHT) await settleOne();
        }
        if (signal?.aborted === true) fault ??= stopped();
        if (fault !== null) break;
      }
      while (underWay.length > 0) await settleOne();
      if (fault !== null) return err(fault);
      const now = await this.#ask<Stats>(path, (done) => sftp.fstat(handle, done));
      if (!now.ok) return now;
      if (now.value.size !== sizeBytes) {
        const kept = `${String(now.value.size)} of ${String(sizeBytes)} bytes`;
        return err(problem('file-failed', `The box kept ${kept} of ${path}.`));
      }
      if (mode === null) return ok({ sizeBytes });
      const set = await this.#ask<null>(path, (done) => sftp.fchmod(handle, mode, wordless(done)));
      return set.ok ? ok({ sizeBytes }) : set;
    } finally {
      await this.#close(path, handle);
    }
  }

  /**
   * SFTP's own rename refuses a name that is taken; OpenSSH's makes a second name and takes the first one away, so that nothing can
   * come in between. Its extension `posix-rename` would replace.
   */
  async #name(temporary: string, path: string): Promise<Result<null, Problem>> {
    const sftp = this.#sftp;
    const named = await this.#ask<null>(path, (done) => {
      sftp.rename(temporary, path, wordless(done));
    });
    if (named.ok) return named;
    if (named.error.code === 'link-lost' || named.error.code === 'command-timeout') {
      const unknown = `Whether ${path} is there now is not known. ${named.error.message}`;
      return err(problem('command-unknown', unknown));
    }
    return this.#orExists(path, named);
  }

  /** SFTP has no word for "it is there already". */
  async #orExists(path: string, done: Result<null, Problem>): Promise<Result<null, Problem>> {
    if (done.ok || done.error.code !== 'file-failed') return done;
    const there = await this.stat(path);
    return there.ok ? err(exists(path)) : done;
  }

  /** All of a piece, or what there is of it at the end of the file: a server may answer with less than it was asked for. */
  async #readPiece(
    path: string,
    handle: Buffer,
    at: number,
    length: number,
  ): Promise<Result<Buffer, Problem>> {
    const buffer = Buffer.allocUnsafe(length);
    let filled = 0;
    for (let answers = 0; filled < length; answers += 1) {
      if (answers === MAX_ANSWERS_A_PIECE) {
        return err(problem('file-failed', 'The box sends the file in crumbs.'));
      }
      const got = await this.#ask<number>(path, (done) =>
        this.#sftp.read(handle, buffer, filled, length - filled, at + filled, done),
      );
      if (!got.ok) return got;
      if (got.value === 0) break;
      filled += got.value;
    }
    return ok(buffer.subarray(0, filled));
  }

  /** What was read or written is judged by then, so a refusal changes nothing. */
  async #close(path: string, handle: Buffer): Promise<void> {
    await this.#ask<null>(path, (done) => this.#sftp.close(handle, wordless(done)));
  }

  async #ask<T>(path: string, request: (done: Done<T>) => void): Promise<Result<T, Problem>> {
    const refused = nameProblem(path);
    if (refused !== null) return err(refused);
    let timer: NodeJS.Timeout | undefined;
    const answer = new Promise<Result<T, Problem>>((resolve) => {
      timer = setTimeout(() => {
        resolve(err(problem('command-timeout', `The box did not answer about ${path} in time.`)));
      }, ANSWER_TIMEOUT_MS);
      request((cause, value) => {
        if (cause === null || cause === undefined) resolve(ok(value));
        // Anything else the library says because the channel goes: its end tells why.
        else if (isServersWord(cause)) resolve(err(fileProblem(cause, path)));
      });
    });
    const result = await untilEnd(answer, this.ended, err);
    clearTimeout(timer);
    return result;
  }
}

/**
 * SECURITY: node-ssh is put around the client whose host key was judged. Its own `connect` takes any key, and is never called
 * (lint rule `ssh-client`).
 */
export async function openFiles(
  client: Client,
  life: ConnectionLife,
): Promise<Result<BoxFiles, Problem>> {
  const { NodeSSH } = await import('node-ssh');
  const ssh = new NodeSSH();
  ssh.connection = client;
  return openSession<BoxFiles, SFTPWrapper>(life, {
    ask: (take) => {
      void ssh.requestSFTP().then(
        (sftp) => take(undefined, sftp),
        (cause: unknown) => take(cause as Error, undefined as never),
      );
    },
    use: (sftp) => new BoxFiles(sftp, life),
    refused: { code: 'sftp-refused', message: 'The box has no SFTP.' },
    late: 'The box did not open its file channel in time.',
  });
}

function toBoxFile({ filename, attrs }: Pick<FileEntry, 'filename' | 'attrs'>): BoxFile {
  // What the server leaves out is not there, whatever the types say.
  const { size, mtime, mode } = attrs as Partial<Attributes>;
  return {
    name: filename,
    kind: kindOf(mode),
    sizeBytes: size ?? null,
    modifiedAtMs: mtime === undefined ? null : mtime * 1000,
    mode: mode === undefined ? null : mode & 0o7777,
    hasUsableName: hasUsableName(filename),
  };
}

function kindOf(mode: number | undefined): BoxFile['kind'] {
  return KINDS.get((mode ?? 0) & constants.S_IFMT) ?? 'other';
}

function wordless(done: Done<null>): (cause?: Error | null) => void {
  return (cause) => done(cause, null);
}

function stopped(): Problem {
  return problem('aborted', 'Copying was stopped.');
}
