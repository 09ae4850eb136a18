import type { Telemetry } from '../telemetry/telemetry.ts';
import type { Fleet } from '../boxes/fleet.ts';
import { ok } from '../../shared/result.ts';
import { writePicture } from '../telemetry/history-export.ts';
import type { SavedKind } from './choose-file.ts';
import type { Handlers } from './ipc-router.ts';

export interface HistoryHandlerServices {
  readonly telemetry: Telemetry;
  readonly fleet: Pick<Fleet, 'entries'>;
  /** Where to save; null: the person cancelled. */
  readonly chooseFile: (suggested: string, kind: SavedKind) => Promise<string | null>;
}

type HistoryHandlers = Pick<Handlers, Extract<keyof Handlers, `history:${string}`>>;

/** What the history channels do. */
export function historyHandlers({
  telemetry,
  fleet,
  chooseFile,
}: HistoryHandlerServices): HistoryHandlers {
  const nameOf = (boxId: string): string =>
    fleet.entries.find(({ box }) => box.id === boxId)?.box.name ?? 'box';
  return {
    'history:query': (query) => telemetry.query(query),
    'history:export': async (request) => {
      const suggested = suggestName(nameOf(request.boxId), request.fromMs, 'csv');
      const file = await chooseFile(suggested, 'csv');
      return file === null ? ok({ kind: 'cancelled' }) : telemetry.exportCsv(request, file);
    },
    'history:picture': async ({ boxId, fromMs, png }) => {
      const file = await chooseFile(suggestName(nameOf(boxId), fromMs, 'png'), 'png');
      if (file === null) return ok({ kind: 'cancelled' });
      const written = await writePicture(file, png);
      return written.ok ? ok({ kind: 'saved', file, bytes: written.value.bytes }) : written;
    },
  };
}

/** The name of a box may hold anything; a file name may not. */
function suggestName(boxName: string, fromMs: number, kind: SavedKind): string {
  const safe = boxName.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+|-+$/g, '') || 'box';
  return `${safe}-gpus-${new Date(fromMs).toISOString().slice(0, 10)}.${kind}`;
}
