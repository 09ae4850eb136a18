import { ok } from '../../../shared/result.ts';
import { Notes } from '../../notes/notes.ts';
import { MountSurvey } from '../../profiles/mount-survey.ts';
import { RecoveryHandbooks } from '../../recovery/recovery-handbooks.ts';
import { Closer } from '../closer.ts';
import type { LateHandlers } from '../endpoints.ts';
import type { MoneyWing } from './money.ts';
import type { Watching } from './watching.ts';
import type { Ground, Wing } from './wing.ts';

export interface Knowledge extends Wing {
  readonly handlers: Pick<LateHandlers, KnowledgeChannel>;
}

type KnowledgeChannel =
  | 'box:mounts'
  | Extract<keyof LateHandlers, `${'gotchas' | 'note' | 'profiles' | 'recovery'}:${string}`>;

/** What is known of platforms, traps and single boxes, and what is written down of it. */
export function openKnowledge(
  ground: Ground,
  { patrols }: Watching,
  { clocks }: MoneyWing,
): Knowledge {
  const {
    roster,
    database,
    folders,
    log,
    scripts,
    profiles,
    gotchas,
    reportProblem: onProblem,
  } = ground;
  const { openFolder } = ground.desktop;
  const { redact } = log.redactor;
  const closer = new Closer();
  const notes = new Notes({ table: database.notes, redact });
  const mountSurvey = new MountSurvey({ roster, scripts });
  const recoveryHandbooks = new RecoveryHandbooks({
    roster,
    clocks: clocks.changes,
    patrols: patrols.parts,
    dataFolder: folders.data,
    entries: database.entries,
    hostKeys: database.hostKeys,
    profileOf: profiles.profileOf,
    gotchas: () => gotchas.list(),
    scripts,
    redact,
    onProblem,
  });
  closer.add(() => recoveryHandbooks.close());
  return {
    handlers: {
      'profiles:list': async () => ok(await profiles.look()),
      'profiles:open-folder': async () => {
        const folder = await profiles.ownFolder();
        return folder.ok ? openFolder(folder.value) : folder;
      },
      'box:mounts': ({ boxId }) => {
        const box = roster.boxOf(boxId);
        return mountSurvey.look(boxId, box === null ? null : profiles.profileOf(box.platform));
      },
      'gotchas:list': async () => ok(await gotchas.list()),
      'gotchas:draft': async (incident) => ok(await gotchas.draft(incident)),
      'gotchas:preview': ({ draft, editing }) => gotchas.preview(draft, editing),
      'gotchas:keep': ({ plan }) => gotchas.keep(plan),
      'gotchas:remove': (editing) => gotchas.remove(editing),
      'gotchas:export': ({ id }) => gotchas.export(id),
      'gotchas:open-folder': async () => {
        const folder = await gotchas.ownFolder();
        return folder.ok ? openFolder(folder.value) : folder;
      },
      'note:read': ({ boxId }) => notes.read(boxId),
      'note:keep': ({ boxId, text }) => notes.keep(boxId, text),
      'recovery:read': ({ boxId }) => recoveryHandbooks.read(boxId),
      'recovery:set-copy': ({ boxId, isWanted }) => recoveryHandbooks.setCopy(boxId, isWanted),
    },
    sweep: (listed) => void recoveryHandbooks.sweep(listed),
    close: () => closer.close(),
  };
}
