import type { Telemetry } from '../telemetry/telemetry.ts';
import type { Fleet } from '../boxes/fleet.ts';
import { ok } from '../../shared/result.ts';
import type { Handlers } from './ipc-router.ts';

export interface HistoryHandlerServices {
  readonly telemetry: Telemetry;
  readonly fleet: Pick<Fleet, 'entries'>;
  /** Where to save; null: the person cancelled. */
  readonly chooseFile: (suggested: string) => Promise<string | null>;
}

type HistoryHandlers = Pick<Handlers, Extract<keyof Handlers, `history:${string}`>>;

/** What the history channels do. */
export function historyHandlers({
  telemetry,
  fleet,
  chooseFile,
}: HistoryHandlerServices): HistoryHandlers {
  return {
    'history:query': (query) => telemetry.query(query),
    'history:export': async (request) => {
      const name = fleet.entries.find(({ box }) => box.id === request.boxId)?.box.name ?? 'box';
      const file = await chooseFile(suggestName(name, request.fromMs));
      return file === null ? ok({ kind: 'cancelled' }) : telemetry.exportCsv(request, file);
    },
  };
}

/** The name of a box may hold anything; a file name may not. */
function suggestName(boxName: string, fromMs: number): string {
  const safe = boxName.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+|-+$/g, '') || 'box';
  return `${safe}-gpus-${new Date(fromMs).toISOString().slice(0, 10)}.csv`;
}
