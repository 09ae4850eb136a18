import type { Telemetry } from '../telemetry/telemetry.ts';
import type { BoxRoster } from '../boxes/box-roster.ts';
import { ok } from '../../shared/result.ts';
import type { SavedKind } from './choose-file.ts';
import type { Handlers } from './ipc-router.ts';
import { fileNameOf, savePicture } from './save-picture.ts';

export interface HistoryHandlerServices {
  readonly telemetry: Telemetry;
  readonly roster: Pick<BoxRoster, 'boxOf'>;
  /** Where to save; null: the person cancelled. */
  readonly chooseFile: (suggested: string, kind: SavedKind) => Promise<string | null>;
}

type HistoryHandlers = Pick<Handlers, Extract<keyof Handlers, `history:${string}`>>;

/** What the history channels do. */
export function historyHandlers({
  telemetry,
  roster,
  chooseFile,
}: HistoryHandlerServices): HistoryHandlers {
  const nameOf = (boxId: string): string => roster.boxOf(boxId)?.name ?? 'box';
  return {
    'history:query': (query) => telemetry.query(query),
    'history:export': async (request) => {
      const suggested = suggestName(nameOf(request.boxId), request.fromMs, 'csv');
      const file = await chooseFile(suggested, 'csv');
      return file === null ? ok({ kind: 'cancelled' }) : telemetry.exportCsv(request, file);
    },
    'history:picture': ({ boxId, fromMs, png }) =>
      savePicture(chooseFile, suggestName(nameOf(boxId), fromMs, 'png'), png),
  };
}

function suggestName(boxName: string, fromMs: number, kind: SavedKind): string {
  return `${fileNameOf(boxName, 'box')}-gpus-${new Date(fromMs).toISOString().slice(0, 10)}.${kind}`;
}
