import { homedir } from 'node:os';
import { settingsStream } from '../../shared/streams/app-streams.ts';
import { Fleet } from '../boxes/fleet.ts';
import { machineKeys } from '../boxes/machine-keys.ts';
import { openDemoService, type DemoService } from '../demo/demo-service.ts';
import type { RootLog } from '../log/log.ts';
import { openNotices, type Notices } from '../notices/notices.ts';
import { proxyPassword } from '../secrets/proxy-passwords.ts';
import { openSecrets, type Secrets } from '../secrets/secrets.ts';
import { localUser, usualPlaces } from '../ssh-config/read-tree.ts';
import { openSshConfig, type SshConfigService } from '../ssh-config/ssh-config-service.ts';
import { openDatabase } from '../storage/database.ts';
import { openSettings, type SettingsStore } from '../storage/settings.ts';
import { StreamHub } from '../streams/stream-hub.ts';
import { keyringVault } from './keyring-vault.ts';

/** Everything behind the window, opened once and closed once. */
export interface Services {
  readonly hub: StreamHub;
  readonly settings: SettingsStore;
  readonly secrets: Secrets;
  readonly notices: Notices;
  readonly fleet: Fleet;
  readonly demo: DemoService;
  readonly sshConfig: SshConfigService;
  /** Ends links, the demo box and open files; resolves when nothing is left. */
  close(): Promise<void>;
}

export interface ServiceFolders {
  readonly data: string;
  /** The demo box's simulated tools. */
  readonly demoTools: string;
}

export async function openServices(folders: ServiceFolders, log: RootLog): Promise<Services> {
  const hub = new StreamHub();
  const notices = openNotices(hub);
  const { store: settings, problems: settingsProblems } = await openSettings(folders.data);
  const settingsTopic = hub.addTopic('settings', '', {
    kind: settingsStream,
    initial: settings.current(),
  });
  settings.onChange((next) => settingsTopic.publish(next));

  const { database, problems: databaseProblems } = openDatabase({ folder: folders.data });
  const { secrets, problems: secretProblems } = await openSecrets({
    folder: folders.data,
    vault: keyringVault(),
    redactor: log.redactor,
  });
  const fleet = new Fleet({
    hub,
    boxes: database.boxes,
    hostKeys: machineKeys(database.hostKeys, database.hopKeys),
    keepHopKeys: database.hopKeys.keepOnly,
    proxyPassword: (proxy) => proxyPassword(secrets, proxy),
    gatherCredentials: async (box) => {
      const { gatherCredentials } = await import('../ssh/credentials.ts');
      return gatherCredentials(box, process.env);
    },
    log: log.child('fleet'),
  });
  const unreadableBoxes = fleet.loadStored();
  const sshConfig = openSshConfig({
    hub,
    fleet,
    places: usualPlaces(homedir(), process.env),
    local: localUser(process.env),
    log: log.child('ssh config'),
  });
  const demo = openDemoService({
    hub,
    fleet,
    settings,
    notices,
    toolsFolder: folders.demoTools,
    log: log.child('demo'),
  });
  for (const found of [
    ...settingsProblems,
    ...databaseProblems,
    ...secretProblems,
    ...unreadableBoxes,
  ]) {
    log.warn(found.message, { code: found.code, detail: found.detail ?? '' });
    notices.add(found);
  }

  return {
    hub,
    settings,
    secrets,
    notices,
    fleet,
    demo,
    sshConfig,
    close: async () => {
      hub.dispose();
      sshConfig.close();
      await demo.dispose();
      fleet.dispose();
      await settings.settled();
      database.close();
    },
  };
}
