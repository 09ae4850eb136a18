import { rememberedStream, settingsStream } from '../../shared/streams/app-streams.ts';
import type { Problem } from '../../shared/problem.ts';
import { BoxRoster } from '../boxes/box-roster.ts';
import type { RootLog } from '../log/log.ts';
import { openNotices, type Notices } from '../notices/notices.ts';
import { openBoxDatabase, type BoxDatabase } from '../storage/box-database.ts';
import { openSettings, type SettingsStore } from '../storage/settings.ts';
import { StreamHub } from '../streams/stream-hub.ts';
import { openWindowMemory, type WindowMemory } from './window-memory.ts';

/**
 * What the window's first picture shows: the settings, what it remembers, the stored boxes, what is wrong with either. It must stay cheap to
 * load; what acts on them is in services.ts, which is loaded when the picture stands.
 */
export interface Foundation {
  readonly hub: StreamHub;
  readonly notices: Notices;
  readonly settings: SettingsStore;
  readonly windowMemory: WindowMemory;
  readonly database: BoxDatabase;
  /** False: the database lives no longer than this session. */
  readonly isDatabaseKept: boolean;
  readonly roster: BoxRoster;
  /** Tells the person and the log. */
  readonly reportProblem: (found: Problem) => void;
  /** Resolves when every file is written and closed. */
  close(): Promise<void>;
}

export async function openFoundation(dataFolder: string, log: RootLog): Promise<Foundation> {
  const hub = new StreamHub();
  const notices = openNotices(hub);
  const reportProblem = (found: Problem): void => {
    log.warn(found.message, { code: found.code, detail: found.detail ?? '' });
    notices.add(found);
  };
  // The file is read while the database opens: that holds the thread, it does not.
  const openingSettings = openSettings(dataFolder);
  const { database, isKept, problems: databaseProblems } = openBoxDatabase({ folder: dataFolder });
  const { store: settings, found, problems: settingsProblems } = await openingSettings;
  const settingsTopic = hub.addTopic('settings', '', {
    kind: settingsStream,
    initial: settings.current(),
  });
  settings.onChange((next) => settingsTopic.publish(next));
  const windowMemory = openWindowMemory({
    folder: dataFolder,
    log,
    settings: { found, dropFormer: settings.dropFormer },
    openStore: async (folder) => (await import('./memory-store.ts')).openMemoryStore(folder),
  });
  const rememberedTopic = hub.addTopic('remembered', '', {
    kind: rememberedStream,
    initial: windowMemory.view(),
  });
  windowMemory.onChange((next) => rememberedTopic.publish(next));
  // What cannot be read of them, the fleet says when it opens them.
  const stored = database.boxes.list();
  const roster = new BoxRoster(hub, stored.ok ? stored.value.rows : []);
  for (const each of [...settingsProblems, ...databaseProblems]) reportProblem(each);
  return {
    hub,
    notices,
    settings,
    windowMemory,
    database,
    isDatabaseKept: isKept,
    roster,
    reportProblem,
    close: async () => {
      await windowMemory.settled();
      await settings.settled();
      database.close();
    },
  };
}
