import { FileDesk } from '../../files/file-desk.ts';
import { Closer } from '../closer.ts';
import type { LateHandlers } from '../endpoints.ts';
import { done } from '../ipc-router.ts';
import type { Ground, Wing } from './wing.ts';

export interface FilesWing extends Wing {
  readonly handlers: Pick<LateHandlers, Extract<keyof LateHandlers, `files:${string}`>>;
}

/** The files of a box, as a person looks at them. */
export function openFilesWing({ roster }: Ground): FilesWing {
  const closer = new Closer();
  const desk = new FileDesk({ roster });
  closer.add(() => desk.close());
  return {
    handlers: {
      'files:list': ({ boxId, folder }) => desk.list(boxId, folder),
      'files:more': ({ boxId, rest }) => desk.more(boxId, rest),
      'files:stop-listing': ({ boxId }) => done(() => desk.stopListing(boxId)),
      'files:follow': ({ boxId, paths }) => desk.follow(boxId, paths),
      'files:preview': ({ boxId, path }) => desk.preview(boxId, path),
      'files:make-folder': ({ boxId, folder, name }) => desk.makeFolder(boxId, folder, name),
      'files:rename': ({ boxId, path, name }) => desk.rename(boxId, path, name),
    },
    close: () => closer.close(),
  };
}
