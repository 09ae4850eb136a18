import { join } from 'node:path';
import { DRAG_OUTS, DragOuts } from '../../files/drag-outs.ts';
import { FileBrowser } from '../../files/file-browser.ts';
import { FileRemover } from '../../files/file-remover.ts';
import { FileSessions } from '../../files/file-sessions.ts';
import { FileTransfers } from '../../files/file-transfers.ts';
import { Closer } from '../closer.ts';
import type { LateHandlers } from '../endpoints.ts';
import { done } from '../ipc-router.ts';
import type { ResultsWing } from './results.ts';
import type { GatedChannel, Ground, Wing } from './wing.ts';

export interface FilesWing extends Wing {
  readonly delete: FileRemover['delete'];
  readonly handlers: Pick<
    LateHandlers,
    Exclude<Extract<keyof LateHandlers, `files:${string}`>, GatedChannel>
  >;
}

/** The files of a box, as a person looks at them, copies them and deletes them. */
export function openFilesWing(
  { hub, roster, scripts, desktop, folders, reportProblem }: Ground,
  { runs, home }: ResultsWing,
): FilesWing {
  const closer = new Closer();
  const sessions = new FileSessions(roster);
  const transfers = new FileTransfers({ hub, sessions, desktop });
  const { startDrag } = desktop;
  const dragOuts = new DragOuts({ folder: join(folders.data, DRAG_OUTS), transfers, startDrag });
  // What was dragged goes last: nothing can bring any more by then.
  closer.add(() => dragOuts.close());
  closer.add(() => sessions.close());
  closer.add(() => transfers.close());
  void dragOuts.sweep().then((swept) => {
    if (!swept.ok) reportProblem(swept.error);
  });
  const browser = new FileBrowser(sessions, roster, scripts, runs);
  closer.add(() => browser.close());
  const remover = new FileRemover(sessions, runs, (boxId, copies) =>
    transfers.readCopies(boxId, copies, (reading) => home.check(copies, reading)),
  );
  closer.add(() => remover.close());
  return {
    delete: (...wanted) => remover.delete(...wanted),
    handlers: {
      'files:list': ({ boxId, folder }) => browser.list(boxId, folder),
      'files:more': ({ boxId, rest }) => browser.more(boxId, rest),
      'files:stop-listing': ({ boxId }) => done(() => browser.stopListing(boxId)),
      'files:folders': ({ boxId, folder }) => browser.folders(boxId, folder),
      'files:find': ({ boxId, folder, wanted }) => browser.find(boxId, folder, wanted),
      'files:find-more': ({ boxId, rest }) => browser.findMore(boxId, rest),
      'files:stop-finding': ({ boxId }) => done(() => browser.stopFinding(boxId)),
      'files:follow': ({ boxId, paths }) => browser.follow(boxId, paths),
      'files:preview': ({ boxId, path }) => browser.preview(boxId, path),
      'files:make-folder': ({ boxId, folder, name }) => browser.makeFolder(boxId, folder, name),
      'files:rename': ({ boxId, path, name }) => browser.rename(boxId, path, name),
      'files:plan-delete': ({ boxId, paths }) => remover.plan(boxId, paths),
      'files:download': ({ boxId, paths }) => transfers.download(boxId, paths),
      'files:fetch-for-drag': ({ boxId, paths }) => dragOuts.fetch(boxId, paths),
      'files:drag': ({ boxId, paths }) => dragOuts.drag(boxId, paths),
      'files:upload': ({ boxId, folder, what }) => transfers.upload(boxId, folder, what),
      'files:stop-transfer': ({ boxId }) => done(() => transfers.stop(boxId)),
    },
    close: () => closer.close(),
  };
}
