import { create } from 'zustand';
import type { DeletePlan, DeleteReport } from '../../../shared/files/delete-plan.ts';
import {
  fileTransfersStream,
  type FileTransfer,
  type TransferReport,
  type UploadWhat,
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
  /** Here, to be dragged on. */
  | { readonly kind: 'fetched'; readonly report: TransferReport }
  | { readonly kind: 'deleted'; readonly report: DeleteReport };

export interface FileActs {
  readonly end: ActEnd | null;
  /** What deleting would take away, for the person to confirm; null: nothing is asked. */
  readonly plan: DeletePlan | null;
  readonly isBusy: boolean;
  readonly download: (paths: readonly string[]) => void;
  readonly upload: (folder: string, what: UploadWhat) => void;
  /** Brings them here and hands them to the system, where the person still holds them by then. */
  readonly dragOut: (paths: readonly string[], isHeld: () => boolean) => void;
  readonly planDelete: (paths: readonly string[]) => void;
  readonly confirmDelete: () => void;
  readonly leave: () => void;
}

type ActState = Pick<FileActs, 'end' | 'plan' | 'isBusy'>;

const NOTHING: ActState = { end: null, plan: null, isBusy: false };

/** Of each box, beyond the page: whoever looks at another tab while files are copied learns afterwards which ones were not. */
const useActStates = create<Readonly<Record<string, ActState>>>(() => ({}));

/** What changes files, on either side, from the question to what came of it. `onChanged`: the folder is not what it was. */
export function useFileActs(boxId: string, onChanged: () => void): FileActs {
  const state = useActStates((all) => all[boxId] ?? NOTHING);
  const become = (part: Partial<ActState>): void =>
    useActStates.setState({ [boxId]: { ...NOTHING, ...part } });

  async function during<T>(
    asked: Promise<Result<T, Problem>>,
    take: (value: T) => Partial<ActState>,
  ): Promise<void> {
    become({ isBusy: true });
    const answer = await asked;
    become(answer.ok ? take(answer.value) : { end: { kind: 'failed', problem: answer.error } });
  }
  const copied = (report: TransferReport | null): Partial<ActState> => {
    if (report?.way === 'upload') onChanged();
    return report === null ? {} : { end: { kind: 'copied', report } };
  };
  async function dragOut(paths: readonly string[], isHeld: () => boolean): Promise<void> {
    // What was said last stays until there is something else to say: nobody asked to have it taken away.
    become({ isBusy: true, end: useActStates.getState()[boxId]?.end ?? null });
    const asked = { boxId, paths: [...paths] };
    const fetched = await call('files:fetch-for-drag', asked);
    if (fetched.ok && (fetched.value.left.length > 0 || !isHeld())) {
      become({ end: { kind: 'fetched', report: fetched.value } });
      return;
    }
    const done = fetched.ok ? await call('files:drag', asked) : fetched;
    become(done.ok ? {} : { end: { kind: 'failed', problem: done.error } });
  }
  return {
    ...state,
    dragOut: (paths, isHeld) => void dragOut(paths, isHeld),
    download: (paths) => void during(call('files:download', { boxId, paths: [...paths] }), copied),
    upload: (folder, what) => void during(call('files:upload', { boxId, folder, what }), copied),
    planDelete: (paths) =>
      void during(call('files:plan-delete', { boxId, paths: [...paths] }), (plan) => ({ plan })),
    confirmDelete: () => {
      if (state.plan === null) return;
      const plan = planRefOf(state.plan.plan);
      void during(call('files:delete', { boxId, plan }), (report) => {
        onChanged();
        return { end: { kind: 'deleted', report } };
      });
    },
    leave: () => become({}),
  };
}
