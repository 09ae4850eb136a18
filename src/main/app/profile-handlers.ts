import { problem } from '../../shared/problem.ts';
import { err, ok } from '../../shared/result.ts';
import type { LateHandlers } from './endpoints.ts';
import type { HandlerServices } from './ipc-handlers.ts';

type ProfileHandlers = Pick<
  LateHandlers,
  'profiles:list' | 'profiles:open-folder' | 'box:mounts' | 'box:set-platform'
>;

type ProfileServices = Pick<HandlerServices, 'fleet' | 'profiles' | 'mountDesk' | 'openFolder'>;

export function profileHandlers({
  fleet,
  profiles,
  mountDesk,
  openFolder,
}: ProfileServices): ProfileHandlers {
  return {
    'profiles:list': async () => ok(await profiles.look()),
    'profiles:open-folder': async () => {
      const folder = await profiles.ownFolder();
      return folder.ok ? openFolder(folder.value) : folder;
    },
    'box:mounts': ({ boxId }) => {
      const box = fleet.entries.find((entry) => entry.box.id === boxId)?.box;
      const profile = box === undefined ? null : profiles.profileOf(box.platform);
      return mountDesk.look(boxId, profile);
    },
    'box:set-platform': ({ boxId, platform }) =>
      profiles.profileOf(platform) === null
        ? err(problem('bad-input', `There is no profile “${platform}”.`))
        : fleet.setPlatform(boxId, platform),
  };
}
