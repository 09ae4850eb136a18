import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { PictureOutcome } from '../../shared/telemetry/history.ts';
import type { BoxRoster } from '../boxes/box-roster.ts';
import {
  exportEvidence,
  receiptBlocks,
  receiptOf,
  type ExportedEvidence,
} from '../evidence/export-evidence.ts';
import type { OwnPython } from '../evidence/own-python.ts';
import type { ReportedNumbers } from '../evidence/reported-numbers.ts';
import type { EvidenceTable } from '../storage/evidence-table.ts';
import { acceptOfRun } from '../transfer/run-proof.ts';
import type { SavedKind } from './choose-file.ts';
import type { Handlers } from './ipc-router.ts';
import { saveWhole } from './save-picture.ts';

export interface EvidenceHandlerServices {
  readonly evidence: EvidenceTable;
  readonly reported: Pick<ReportedNumbers, 'list' | 'reread' | 'look'>;
  readonly python: Pick<OwnPython, 'chosen' | 'choose' | 'ask' | 'stop'>;
  readonly roster: Pick<BoxRoster, 'boxOf'>;
  /** Where to save; null: the person cancelled. */
  readonly chooseFile: (suggested: string, kind: SavedKind) => Promise<string | null>;
}

type EvidenceHandlers = Pick<Handlers, Extract<keyof Handlers, `evidence:${string}`>>;

/** What the evidence channels do. */
export function evidenceHandlers(services: EvidenceHandlerServices): EvidenceHandlers {
  const { evidence, reported, python, roster, chooseFile } = services;
  const save = async (
    name: string,
    kind: SavedKind,
    making: Promise<Result<ExportedEvidence | null, Problem>>,
  ): Promise<Result<PictureOutcome, Problem>> => {
    const made = await making;
    if (!made.ok) return made;
    if (made.value === null) return ok({ kind: 'cancelled' });
    return saveWhole(chooseFile, { name, kind }, Buffer.from(made.value.text));
  };
  const box = (boxId: string): string => roster.boxOf(boxId)?.name ?? boxId;
  return {
    'evidence:check': () => evidence.check(),
    'evidence:export': ({ format }) => {
      const kind = format === 'json' ? 'json' : 'md';
      return save(`evidence.${kind}`, kind, exportEvidence(evidence, format, Date.now()));
    },
    'evidence:receipt': ({ seq, format }) => {
      const kind = format === 'json' ? 'json' : 'md';
      const receipt = receiptOf(evidence, seq, { box, atMs: Date.now(), format });
      return save(`receipt-${String(seq)}.${kind}`, kind, receipt);
    },
    'evidence:receipt-page': ({ seq }) => receiptBlocks(evidence, seq, { box, atMs: Date.now() }),
    'evidence:numbers': ({ boxId, runId, path }) => reported.list(boxId, runId, path),
    'evidence:reread': ({ boxId, runId, numbers }) => reported.reread(boxId, runId, numbers),
    'evidence:accept': ({ boxId, runId, ...file }) => acceptOfRun(evidence, boxId, runId, file),
    'evidence:reported': ({ boxId, runId }) => reported.look(boxId, runId),
    'evidence:python': () => python.chosen(),
    'evidence:choose-python': () => python.choose(),
    'evidence:ask-python': ({ boxId, runId, path }) => python.ask(boxId, runId, path),
    'evidence:stop-python': () => {
      python.stop();
      return ok(null);
    },
  };
}
