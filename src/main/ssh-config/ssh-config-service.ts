import { createHash } from 'node:crypto';
import { boxConnection, type Box, type BoxConnection } from '../../shared/boxes/box.ts';
import { noSuchBox } from '../../shared/boxes/no-such-box.ts';
import {
  openConfig,
  type ConfigBox,
  type LocalUser,
  type OpenedConfig,
} from '../../shared/boxes/ssh-config/config-boxes.ts';
import type {
  ConfigChange,
  ConfigListing,
  ImportOutcome,
  ListedHost,
} from '../../shared/boxes/ssh-config/config-listing.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { configStream } from '../../shared/streams/app-streams.ts';
import type { BoxRoster } from '../boxes/box-roster.ts';
import type { Fleet } from '../boxes/fleet.ts';
import type { Log } from '../log/log.ts';
import type { StreamHub } from '../streams/stream-hub.ts';
import { readConfigTree, type ConfigPlaces } from './read-tree.ts';
import { watchFiles } from '../storage/watch-files.ts';

/** How long one piece of work may hold up everything else in this process. */
const SLICE_MS = 8;
const MAX_NAME = 80;

/** The host that the person has seen, and its content then. */
export interface SeenHost {
  readonly host: string;
  readonly digest: string;
}

/** The person's SSH config beside the boxes. It offers; nothing of it is taken over unless the person says so. */
export interface SshConfigService {
  readonly read: () => Promise<ConfigListing>;
  readonly importHosts: (hosts: readonly SeenHost[]) => Promise<ImportOutcome>;
  /** Takes over what the entry says now. */
  readonly apply: (boxId: string, digest: string) => Promise<Result<Box, Problem>>;
  /** Leaves the box as it is; the same content is not offered again. */
  readonly decline: (boxId: string, digest: string) => Promise<Result<Box, Problem>>;
  readonly close: () => void;
}

export interface SshConfigOptions {
  readonly hub: StreamHub;
  readonly roster: BoxRoster;
  readonly fleet: Pick<Fleet, 'add' | 'edit'>;
  readonly places: ConfigPlaces;
  readonly local: LocalUser;
  readonly log: Log;
}

export function openSshConfig({
  hub,
  roster,
  fleet,
  places,
  local,
  log,
}: SshConfigOptions): SshConfigService {
  const topic = hub.addTopic('ssh-config', '', {
    kind: configStream,
    initial: { revision: 0, changes: [] },
  });
  let revision = 0;
  let isClosed = false;
  const watching = watchFiles(() => {
    revision += 1;
    void open();
  }, log);

  /** Reads the files anew, compares them with the boxes that came from them, and watches them from now on. */
  async function open(): Promise<{
    readonly config: OpenedConfig;
    readonly files: readonly string[];
  }> {
    const tree = await readConfigTree(places);
    const config = openConfig(tree, local);
    if (!isClosed) {
      watching.follow([...places.roots, ...tree.files.keys()]);
      topic.publish({ revision, changes: findChanges(config, roster) });
    }
    return { config, files: [...tree.files.keys()] };
  }

  /** The box's entry as it is now, if it still is what the person saw. */
  /**
   * What was shown is still what the config says. No `Plan` is kept for it: all that is done follows from the person's own file, which
   * is read anew here and compared whole, so nothing kept could be staler or expire; and it changes the list of boxes, and no box.
   */
  async function seen(boxId: string, digest: string): Promise<Result<ListedHost, Problem>> {
    const box = roster.boxOf(boxId);
    const { config } = await open();
    const host = config.hosts.find(({ name }) => name === box?.options.configHost);
    const listed = host === undefined ? null : listedHost(config.toBox(host));
    if (listed?.digest === digest) return ok(listed);
    return err(
      problem('config-changed', 'The SSH config has changed since you looked.', {
        nextStep: 'Look at what it says now.',
      }),
    );
  }

  const isFromConfig = roster.living.some(({ box }) => box.options.configHost !== null);
  if (isFromConfig) void open();

  return {
    read: async () => {
      const { config, files } = await open();
      const hosts: ListedHost[] = [];
      let sliceEndsMs = performance.now() + SLICE_MS;
      for (const host of config.hosts) {
        hosts.push(listedHost(config.toBox(host)));
        if (performance.now() < sliceEndsMs) continue;
        await new Promise((resolve) => setImmediate(resolve));
        sliceEndsMs = performance.now() + SLICE_MS;
      }
      return { files, hosts, notes: config.notes };
    },

    importHosts: async (wanted) => {
      const { config } = await open();
      const byName = new Map(config.hosts.map((host) => [host.name, host]));
      const added: string[] = [];
      const refused: { host: string; because: string }[] = [];
      for (const { host: name, digest } of wanted) {
        const host = byName.get(name);
        const listed = host === undefined ? null : listedHost(config.toBox(host));
        if (listed === null || listed.connection === null || listed.digest !== digest) {
          refused.push({ host: name, because: 'The SSH config has changed since you looked.' });
          continue;
        }
        const box = fleet.add(name.slice(0, MAX_NAME), withDigest(listed.connection, digest));
        if (box.ok) added.push(box.value.id);
        else refused.push({ host: name, because: box.error.message });
        await new Promise((resolve) => setImmediate(resolve));
      }
      return { added, refused };
    },

    apply: async (boxId, digest) => {
      const listed = await seen(boxId, digest);
      if (!listed.ok) return listed;
      const { connection } = listed.value;
      if (connection === null) return err(problem('config-changed', 'The entry cannot be used.'));
      // What the person lends to this box is not the config's to say.
      const box = roster.boxOf(boxId);
      const login = { ...connection.login, forwardAgent: box?.login.forwardAgent ?? false };
      const edited = fleet.edit(boxId, withDigest({ ...connection, login }, digest));
      topic.publish({ revision, changes: without(topic.state.changes, boxId, edited.ok) });
      return edited;
    },

    decline: async (boxId, digest) => {
      const listed = await seen(boxId, digest);
      if (!listed.ok) return listed;
      const box = roster.boxOf(boxId);
      if (box === null) return noSuchBox();
      const { address, route, login } = box;
      const kept = fleet.edit(
        boxId,
        withDigest({ address, route, login, options: box.options }, digest),
      );
      topic.publish({ revision, changes: without(topic.state.changes, boxId, kept.ok) });
      return kept;
    },

    close: () => {
      isClosed = true;
      watching.close();
    },
  };
}

function findChanges(config: OpenedConfig, roster: BoxRoster): readonly ConfigChange[] {
  const byName = new Map(config.hosts.map((host) => [host.name, host]));
  return roster.living.flatMap(({ box }): ConfigChange[] => {
    const { configHost, configDigest } = box.options;
    const host = configHost === null ? undefined : byName.get(configHost);
    if (host === undefined) return [];
    const { name, connection, digest } = listedHost(config.toBox(host));
    if (connection === null || digest === null || digest === configDigest) return [];
    if (configDigest === digestWhenLent(connection) || isSame(box, connection)) return [];
    return [{ boxId: box.id, host: name, digest, connection }];
  });
}

/** Until migration 5 the digest had the entry's ForwardAgent in it, which the config has no say in any more. */
function digestWhenLent(connection: BoxConnection): string {
  return digestOf({ ...connection, login: { ...connection.login, forwardAgent: true } });
}

/** Whether taking the entry over would change nothing that anybody can see. */
function isSame({ address, route, login, options }: Box, connection: BoxConnection): boolean {
  const now = {
    address,
    route,
    login: { ...login, forwardAgent: connection.login.forwardAgent },
    options: { ...options, configDigest: connection.options.configDigest },
  };
  return digestOf(boxConnection.parse(now)) === digestOf(connection);
}

function listedHost(box: ConfigBox): ListedHost {
  const { connection } = box;
  return { ...box, digest: connection === null ? null : digestOf(connection) };
}

/** The connection comes out of one schema, so equal content is equal text. */
function digestOf(connection: BoxConnection): string {
  return createHash('sha256').update(JSON.stringify(connection)).digest('hex').slice(0, 32);
}

function withDigest(connection: BoxConnection, configDigest: string): BoxConnection {
  return { ...connection, options: { ...connection.options, configDigest } };
}

function without(
  changes: readonly ConfigChange[],
  boxId: string,
  isDone: boolean,
): readonly ConfigChange[] {
  return isDone ? changes.filter((change) => change.boxId !== boxId) : changes;
}
