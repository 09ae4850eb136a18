import { ok } from '../../shared/result.ts';
import type { LateHandlers } from './endpoints.ts';
import type { HandlerServices } from './ipc-handlers.ts';

type GotchaHandlers = Pick<
  LateHandlers,
  | 'gotchas:list'
  | 'gotchas:draft'
  | 'gotchas:preview'
  | 'gotchas:keep'
  | 'gotchas:remove'
  | 'gotchas:export'
  | 'gotchas:open-folder'
  | 'note:read'
  | 'note:keep'
>;

type GotchaServices = Pick<HandlerServices, 'gotchas' | 'notes' | 'openFolder'>;

/** What a person learns: entries of their own, and notes. */
export function gotchaHandlers({ gotchas, notes, openFolder }: GotchaServices): GotchaHandlers {
  return {
    'gotchas:list': async () => ok(await gotchas.list()),
    'gotchas:draft': async (incident) => ok(await gotchas.draft(incident)),
    'gotchas:preview': ({ draft, editing }) => gotchas.preview(draft, editing),
    'gotchas:keep': ({ draft, editing, approved }) => gotchas.keep(draft, editing, approved),
    'gotchas:remove': (editing) => gotchas.remove(editing),
    'gotchas:export': ({ id }) => gotchas.export(id),
    'gotchas:open-folder': async () => {
      const folder = await gotchas.ownFolder();
      return folder.ok ? openFolder(folder.value) : folder;
    },
    'note:read': ({ boxId }) => notes.read(boxId),
    'note:keep': ({ boxId, text }) => notes.keep(boxId, text),
  };
}
