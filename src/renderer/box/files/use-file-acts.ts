import { useState } from 'react';
import type { DeletePlan, DeleteReport } from '../../../shared/files/delete-plan.ts';
import {
  fileTransfersStream,
  type FileTransfer,
  type TransferReport,
} from '../../../shared/files/file-transfer.ts';
import { planRefOf } from '../../../shared/plan/plan.ts';
import type { Problem } from '../../../shared/problem.ts';
import type { Result } from '../../../shared/result.ts';
import type { ByBox } from '../../../shared/streams/meter-stream.ts';
import { call } from '../../state/bridge.ts';
import { useBoxFeed } from '../../state/box-feed.ts';

const TRANSFERS = {
  stream: 'file-transfers',
  kind: fileTransfersStream,
  fromWire: (wire: ByBox<FileTransfer>) => wire,
} as const;

/** How far files of this box are on their way; null: none are. */
export function useFileTransfer(boxId: string): FileTransfer | null {
  const feed = useBoxFeed('', TRANSFERS);
  return feed.kind === 'live' ? (feed.state.boxes[boxId] ?? null) : null;
}

/** What came of the last act, until the next one or until the person has read it. */
export type ActEnd =
  | { readonly kind: 'failed'; readonly problem: Problem }
  | { readonly kind: 'copied'; readonly report: TransferReport }
  | { readonly kind: 'deleted'; readonly report: DeleteReport };

export interface FileActs {
  readonly end: ActEnd | null;
  /** What deleting would take away, for the person to confirm; null: nothing is asked. */
  readonly plan: DeletePlan | null;
  readonly isBusy: boolean;
  readonly download: (paths: readonly string[]) => void;
  readonly upload: (folder: string) => void;
  readonly planDelete: (paths: readonly string[]) => void;
  readonly confirmDelete: () => void;
  readonly leave: () => void;
}

/** What changes files, on either side, from the question to what came of it. `onChanged`: the folder is not what it was. */
export function useFileActs(boxId: string, onChanged: () => void): FileActs {
  const [end, setEnd] = useState<ActEnd | null>(null);
  const [plan, setPlan] = useState<DeletePlan | null>(null);
  const [isBusy, setIsBusy] = useState(false);

  async function during<T>(
    asked: Promise<Result<T, Problem>>,
    take: (value: T) => void,
  ): Promise<void> {
    setEnd(null);
    setPlan(null);
    setIsBusy(true);
    const answer = await asked;
    setIsBusy(false);
    if (answer.ok) take(answer.value);
    else setEnd({ kind: 'failed', problem: answer.error });
  }
  const copied = (report: TransferReport | null): void => {
    if (report === null) return;
    setEnd({ kind: 'copied', report });
    if (report.way === 'upload') onChanged();
  };
  return {
    ...{ end, plan, isBusy },
    download: (paths) => void during(call('files:download', { boxId, paths: [...paths] }), copied),
    upload: (folder) => void during(call('files:upload', { boxId, folder }), copied),
    planDelete: (paths) =>
      void during(call('files:plan-delete', { boxId, paths: [...paths] }), setPlan),
    confirmDelete: () => {
      if (plan === null) return;
      void during(call('files:delete', { boxId, plan: planRefOf(plan.plan) }), (report) => {
        setEnd({ kind: 'deleted', report });
        onChanged();
      });
    },
    leave: () => {
      setPlan(null);
      setEnd(null);
    },
  };
}
