import { randomUUID } from 'node:crypto';
import { isArchived, type EndOnRecord } from '../../shared/boxes/archived.ts';
import type { Box, BoxConnection } from '../../shared/boxes/box.ts';
import type { BoxIdentity } from '../../shared/boxes/host-key.ts';
import { noSuchBox } from '../../shared/boxes/no-such-box.ts';
import type { Proxy } from '../../shared/boxes/route.ts';
import { isSameWay } from '../../shared/boxes/same-way.ts';
import type { PlanRef } from '../../shared/plan/plan.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { UNSAID_PLATFORM } from '../../shared/profiles/platform-names.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { untouchedEntry, type FleetEntry } from '../../shared/streams/fleet-stream.ts';
import type { Log } from '../log/log.ts';
import type { Credentials } from '../ssh/credentials.ts';
import type { HostKeyStore } from '../ssh/host-key-store.ts';
import type { LinkOptions } from '../ssh/link.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { Tunnels } from '../tunnels/tunnels.ts';
import type { BoxRoster } from './box-roster.ts';
import { openBoxSession, type BoxSession } from './box-session.ts';
import { FlavourWatch } from './flavour-watch.ts';

/** Where the boxes that the user added are kept. */
export interface BoxStore {
  list(): Result<
    { readonly rows: readonly Box[]; readonly unreadable: readonly Problem[] },
    Problem
  >;
  add(box: Box): Result<Box, Problem>;
  reconnect(boxId: string, connection: BoxConnection): Result<Box, Problem>;
  rename(boxId: string, name: string): Result<Box, Problem>;
  tag(boxId: string, tags: readonly string[]): Result<Box, Problem>;
  setPlatform(boxId: string, platform: string): Result<Box, Problem>;
  archive(boxId: string, atMs: number | null): Result<Box, Problem>;
  forget(boxId: string): Result<null, Problem>;
}

export interface FleetOptions {
  /** See `FlavourWatch`. */
  readonly gatewayAt: (host: string) => string | null;
  readonly roster: BoxRoster;
  readonly boxes: BoxStore;
  /** By the evidence. Absent: nobody ends boxes. */
  readonly endOnRecord?: (box: Box) => Result<EndOnRecord, Problem>;
  /** Whether an end of it is begun, and not over. */
  readonly isUnderWay: (boxId: string) => Result<boolean, Problem>;
  readonly hostKeys: HostKeyStore;
  readonly gatherCredentials: LinkOptions['gatherCredentials'];
  /** Called when boxes went or go another way: what belongs to the machines on the way to no box any more can go. */
  readonly forgetUnusedWays: (boxes: readonly Box[]) => void;
  readonly proxyPassword: (proxy: Proxy) => Result<string | null, Problem>;
  readonly telemetry: Telemetry;
  readonly tunnels: Tunnels;
  /** Bytes that came from a box. Called often: must be cheap. */
  readonly onReceived?: (boxId: string, bytes: number) => void;
  readonly log: Log;
}

/** How to reach a box that is not stored, because it lives no longer than this session: the demo box. */
export interface TransientAccess {
  readonly hostKeys: HostKeyStore;
  readonly credentials: Credentials;
}

interface BoxAccess extends Pick<FleetOptions, 'hostKeys' | 'gatherCredentials'> {
  /** False: it lives no longer than this session, and so does what belongs to it. */
  readonly isStored?: boolean;
}

const STAYS_WHERE_IT_IS = problem(
  'teardown-refused',
  'The end of this box is under way, and its address is asked whether it is gone. The way to it cannot be changed now.',
  {
    nextStep:
      'If it was not ended, say so on its Teardown tab, then change it. Name, tags and notes can be changed at any time.',
  },
);

/** An end that nobody can read of may be under way all the same. */
const mayBeUnderWay = (why: Problem): Problem => ({
  ...why,
  message: `Whether the end of this box is under way is not known, so the way to it cannot be changed now. ${why.message}`,
  nextStep: `${why.nextStep} Name, tags and notes can be changed at any time.`,
});

/** Fifty boxes behind one uplink that has just come back log in one after the other, within a second or two. */
const WAKE_EVERY_MS = 25;

/** Brings boxes into the roster and out of it. It routes; links and watches do the work. */
export class Fleet {
  readonly #options: FleetOptions;
  readonly #roster: BoxRoster;
  readonly #sessions = new Map<string, BoxSession>();
  /** Those that no table has. */
  readonly #transient = new Set<string>();
  /** A box whose row cannot be read may need what no other box does. */
  #hasUnreadable = false;
  #waking: readonly NodeJS.Timeout[] = [];

  constructor(options: FleetOptions) {
    this.#options = options;
    this.#roster = options.roster;
  }

  /**
   * Shows the stored boxes and connects those whose host key the person has already trusted. Answers what could not be
   * read.
   */
  loadStored(): readonly Problem[] {
    const { boxes, hostKeys } = this.#options;
    const listed = boxes.list();
    this.#hasUnreadable = !listed.ok || listed.value.unreadable.length > 0;
    if (!listed.ok) return [listed.error];
    const problems = [...listed.value.unreadable];
    for (const stored of listed.value.rows) {
      const caughtUp = this.#asProven(stored);
      if (!caughtUp.ok) problems.push(caughtUp.error);
      const box = caughtUp.ok ? caughtUp.value : stored;
      const { link } = this.#open(box, this.#options);
      if (isArchived(box)) continue;
      const key = hostKeys.current(box.id);
      if (!key.ok || key.value !== null) link.connect();
    }
    return problems;
  }

  add(name: string, connection: BoxConnection): Result<Box, Problem> {
    const { boxes } = this.#options;
    const added = boxes.add({
      id: randomUUID(),
      name,
      platform: UNSAID_PLATFORM,
      ...connection,
      tags: [],
      addedAtMs: Date.now(),
    });
    if (added.ok) this.#open(added.value, this.#options);
    return added;
  }

  /** A box of this session only. It connects at once, since its key is known beforehand. */
  addTransient(box: Box, { hostKeys, credentials }: TransientAccess): void {
    const gatherCredentials = (): Promise<Result<Credentials, Problem>> =>
      Promise.resolve(ok(credentials));
    this.#transient.add(box.id);
    this.#open(box, { hostKeys, gatherCredentials, isStored: false }).link.connect();
  }

  removeTransient(boxId: string): void {
    this.#close(boxId);
  }

  /** The link to the old place ends; one that was wanted is made to the new place. */
  edit(boxId: string, connection: BoxConnection): Result<Box, Problem> {
    const [entry, session] = [this.#roster.entryOf(boxId), this.#sessions.get(boxId)];
    if (entry === null || session === undefined) return noSuchBox();
    // The silence of its address is a witness of its end: it has to be the address of the machine that is being ended.
    if (!isSameWay(entry.box, connection)) {
      const underWay = this.#options.isUnderWay(boxId);
      if (!underWay.ok) return err(mayBeUnderWay(underWay.error));
      if (underWay.value) return err(STAYS_WHERE_IT_IS);
    }
    const changed = this.#options.boxes.reconnect(boxId, connection);
    if (!changed.ok) return changed;
    if (isSameWay(entry.box, changed.value)) {
      session.link.describe(changed.value);
      this.#roster.put({ ...entry, box: changed.value });
      return changed;
    }
    // What was read at the old place says nothing about the new one.
    this.#roster.put({ ...entry, box: changed.value, gpus: null, load: null });
    session.moveTo(changed.value);
    this.#forgetUnusedWays();
    return changed;
  }

  rename(boxId: string, name: string): Result<Box, Problem> {
    return this.#describe(boxId, (boxes) => boxes.rename(boxId, name));
  }

  /** The person's own words for it, instead of those it had. */
  tag(boxId: string, tags: readonly string[]): Result<Box, Problem> {
    return this.#describe(boxId, (boxes) => boxes.tag(boxId, tags));
  }

  /** By whom it is rented out: its profile's facts hold for it from now on. */
  setPlatform(boxId: string, platform: string): Result<Box, Problem> {
    return this.#describe(boxId, (boxes) => boxes.setPlatform(boxId, platform));
  }

  /** The box is gone, since then: it is kept, and nobody connects to it any more. Null: a machine is there again. */
  archive(boxId: string, atMs: number | null): Result<null, Problem> {
    const [entry, session] = [this.#roster.entryOf(boxId), this.#sessions.get(boxId)];
    if (entry === null || session === undefined) return noSuchBox();
    if (isArchived(entry.box) === (atMs !== null)) return ok(null);
    const { archivedAtMs: _, ...living } = entry.box;
    const box: Result<Box, Problem> = this.#transient.has(boxId)
      ? ok(atMs === null ? living : { ...living, archivedAtMs: atMs })
      : this.#options.boxes.archive(boxId, atMs);
    if (!box.ok) return box;
    if (atMs !== null) session.link.disconnect();
    this.#roster.attach(boxId, atMs === null ? session.link : null);
    this.#roster.put({ ...untouchedEntry(box.value), gpus: entry.gpus });
    return ok(null);
  }

  /** Forgets the box here. The machine itself is not touched. */
  forget(boxId: string): Result<null, Problem> {
    if (!this.#sessions.has(boxId)) return noSuchBox();
    const forgotten = this.#options.boxes.forget(boxId);
    if (!forgotten.ok) return forgotten;
    this.#close(boxId);
    this.#forgetUnusedWays();
    return forgotten;
  }

  /** Finds out again what SSH to the box can do. */
  checkFlavour(boxId: string): Result<null, Problem> {
    return this.#withSession(boxId, ({ link, flavour }) => {
      if (link.connection === null) {
        return err(problem('not-connected', 'The box is not connected.'));
      }
      flavour.check();
      return ok(null);
    });
  }

  /** A person opened a terminal on the box, or could not. */
  terminalWasOpened(boxId: string, failed: Problem | null): void {
    this.#sessions.get(boxId)?.flavour.terminalWasOpened(failed);
  }

  /** This machine woke or changed its network: every link looks whether it still stands, or tries again now. */
  wake(): void {
    this.#stopWaking();
    this.#waking = [...this.#sessions.values()].map(({ link }, i) =>
      setTimeout(() => link.wake(), i * WAKE_EVERY_MS),
    );
  }

  trustHostKey(boxId: string, fingerprint: string, expected: string): Result<null, Problem> {
    return this.#withSession(boxId, ({ link }) => link.trustHostKey(fingerprint, expected));
  }

  async replaceHostKey(
    boxId: string,
    shown: PlanRef,
    phrase: string,
  ): Promise<Result<null, Problem>> {
    const session = this.#sessions.get(boxId);
    return session === undefined ? noSuchBox() : session.link.replaceHostKey(shown, phrase);
  }

  /** Every host key the box was known by. */
  async identity(boxId: string): Promise<Result<BoxIdentity, Problem>> {
    return this.#sessions.get(boxId)?.link.identity() ?? noSuchBox();
  }

  /** Closes every link; for quitting. The roster goes on to list the boxes: none of them was forgotten. */
  dispose(): void {
    this.#stopWaking();
    for (const session of this.#sessions.values()) session.close();
    this.#sessions.clear();
  }

  #stopWaking(): void {
    for (const timer of this.#waking) clearTimeout(timer);
    this.#waking = [];
  }

  /** Leasehold may have been killed between the evidence that a box is gone, or there again, and its row. */
  #asProven(box: Box): Result<Box, Problem> {
    const end = this.#options.endOnRecord?.(box) ?? ok('unsaid');
    if (!end.ok) return end;
    const goneAtMs = end.value;
    if (goneAtMs === 'unsaid' || (goneAtMs !== null) === isArchived(box)) return ok(box);
    if (goneAtMs !== null) {
      // A Leasehold that had no archive went on with a box that was gone: what has answered there since bills.
      const key = this.#options.hostKeys.current(box.id);
      if (!key.ok) return key;
      if ((key.value?.lastSeenMs ?? 0) > goneAtMs) return ok(box);
    }
    return this.#options.boxes.archive(box.id, goneAtMs);
  }

  #open(box: Box, access: BoxAccess): BoxSession {
    const { telemetry, tunnels, onReceived } = this.#options;
    const log = this.#options.log.child(box.name);
    const onChange = (part: Partial<Omit<FleetEntry, 'box'>>): void =>
      this.#roster.change(box.id, part);
    this.#roster.put(untouchedEntry(box));
    const followedTunnels = tunnels.follow(box.id, { isStored: access.isStored ?? true });
    const flavour = new FlavourWatch({
      host: box.address.host,
      gatewayAt: this.#options.gatewayAt,
      tunnelTargets: () => followedTunnels.targets(),
      log,
      onState: (state) => onChange({ flavour: state }),
    });
    const session = openBoxSession({
      box,
      telemetry: telemetry.follow({
        boxId: box.id,
        log,
        onChange: (part) => {
          onChange(part);
          if (part.telemetry !== undefined) flavour.readingsAre(part.telemetry);
        },
      }),
      flavour,
      tunnels: followedTunnels,
      log,
      hostKeys: access.hostKeys,
      proxyPassword: this.#options.proxyPassword,
      ...(onReceived !== undefined && {
        onReceived: (bytes: number) => onReceived(box.id, bytes),
      }),
      gatherCredentials: access.gatherCredentials,
      onChange,
    });
    this.#sessions.set(box.id, session);
    // Without it nobody can connect, by whichever way.
    if (!isArchived(box)) this.#roster.attach(box.id, session.link);
    return session;
  }

  #close(boxId: string): void {
    const session = this.#sessions.get(boxId);
    if (session === undefined) return;
    this.#sessions.delete(boxId);
    this.#transient.delete(boxId);
    session.close();
    this.#roster.remove(boxId);
  }

  /** What a box is called changes nothing about its link. */
  #describe(
    boxId: string,
    change: (boxes: BoxStore) => Result<Box, Problem>,
  ): Result<Box, Problem> {
    const [entry, session] = [this.#roster.entryOf(boxId), this.#sessions.get(boxId)];
    if (entry === null || session === undefined) return noSuchBox();
    const changed = change(this.#options.boxes);
    if (!changed.ok) return changed;
    session.link.describe(changed.value);
    this.#roster.put({ ...entry, box: changed.value });
    return changed;
  }

  #forgetUnusedWays(): void {
    if (!this.#hasUnreadable) {
      this.#options.forgetUnusedWays(this.#roster.entries.map(({ box }) => box));
    }
  }

  #withSession(
    boxId: string,
    act: (session: BoxSession) => Result<null, Problem>,
  ): Result<null, Problem> {
    const session = this.#sessions.get(boxId);
    return session === undefined ? noSuchBox() : act(session);
  }
}
