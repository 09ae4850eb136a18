import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { Connections } from '../boxes/box-roster.ts';
import type { BoxFiles } from '../ssh/box-files.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';

/** A box gives ten sessions and often fewer: none is held for a page that nobody looks at. */
const KEPT_MS = 60_000;

interface Session {
  readonly connection: SshConnection;
  readonly opened: Promise<Result<BoxFiles, Problem>>;
  users: number;
  timer: NodeJS.Timeout | undefined;
}

/** The files of a box for as long as they are used; given back once. */
export interface FileLease {
  readonly files: BoxFiles;
  readonly release: () => void;
}

/** One SFTP session for each box whose files somebody looks at, for all that is done there, and for a minute after it. */
export class FileSessions {
  readonly #roster: Connections;
  readonly #sessions = new Map<string, Session>();
  #isClosed = false;

  constructor(roster: Connections) {
    this.#roster = roster;
  }

  async lease(boxId: string): Promise<Result<FileLease, Problem>> {
    const connection = this.#roster.connectionOf(boxId);
    if (connection === null || this.#isClosed) {
      return err(problem('not-connected', 'The box is not connected.'));
    }
    const known = this.#sessions.get(boxId);
    const session = known?.connection === connection ? known : this.#open(boxId, connection);
    session.users += 1;
    clearTimeout(session.timer);
    const opened = await session.opened;
    let isReleased = false;
    const release = (): void => {
      if (isReleased) return;
      isReleased = true;
      session.users -= 1;
      if (session.users === 0) this.#closeLater(boxId, session);
    };
    if (opened.ok) return ok({ files: opened.value, release });
    release();
    return opened;
  }

  async use<T>(
    boxId: string,
    act: (files: BoxFiles) => Promise<Result<T, Problem>>,
  ): Promise<Result<T, Problem>> {
    const leased = await this.lease(boxId);
    if (!leased.ok) return leased;
    try {
      return await act(leased.value.files);
    } finally {
      leased.value.release();
    }
  }

  /** For quitting. */
  close(): void {
    this.#isClosed = true;
    for (const [boxId, session] of this.#sessions) this.#end(boxId, session);
  }

  #open(boxId: string, connection: SshConnection): Session {
    const session: Session = {
      connection,
      opened: connection.openFiles(),
      users: 0,
      timer: undefined,
    };
    this.#sessions.set(boxId, session);
    const forget = (): void => this.#forget(boxId, session);
    // A refusal is asked for again at the next try: an administrator may have changed it. What threw tells whoever leases.
    void session.opened.then(
      (opened) => (opened.ok ? void opened.value.ended.then(forget) : forget()),
      forget,
    );
    return session;
  }

  #closeLater(boxId: string, session: Session): void {
    if (this.#isClosed) return;
    session.timer = setTimeout(() => this.#end(boxId, session), KEPT_MS);
    session.timer.unref();
  }

  #end(boxId: string, session: Session): void {
    clearTimeout(session.timer);
    this.#forget(boxId, session);
    void session.opened.then(
      (opened) => {
        if (opened.ok) opened.value.close();
      },
      () => undefined, // whoever leased it was told
    );
  }

  #forget(boxId: string, session: Session): void {
    if (this.#sessions.get(boxId) === session) this.#sessions.delete(boxId);
  }
}
