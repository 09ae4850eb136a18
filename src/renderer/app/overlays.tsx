import { lazy, Suspense, useEffect } from 'react';
import { overlayClosed, useView } from '../state/view.ts';

const CommandPalette = lazy(async () => ({
  default: (await import('./command-palette.tsx')).CommandPalette,
}));
const AddBoxDialog = lazy(async () => ({
  default: (await import('../fleet/add-box-dialog.tsx')).AddBoxDialog,
}));
const ClocksDialog = lazy(async () => ({
  default: (await import('../box/clocks/clocks-dialog.tsx')).ClocksDialog,
}));
const RenameBoxDialog = lazy(async () => ({
  default: (await import('../box/rename-box-dialog.tsx')).RenameBoxDialog,
}));
const TagsDialog = lazy(async () => ({
  default: (await import('../box/tags-dialog.tsx')).TagsDialog,
}));
const EditConnectionDialog = lazy(async () => ({
  default: (await import('../box/edit-connection-dialog.tsx')).EditConnectionDialog,
}));
const ForgetBoxDialog = lazy(async () => ({
  default: (await import('../box/forget-box-dialog.tsx')).ForgetBoxDialog,
}));
const QuestionDialog = lazy(async () => ({
  default: (await import('../questions/question-dialog.tsx')).QuestionDialog,
}));
const InstallKeyDialog = lazy(async () => ({
  default: (await import('../box/install-key/install-key-dialog.tsx')).InstallKeyDialog,
}));
const FlavourDialog = lazy(async () => ({
  default: (await import('../box/flavour/flavour-dialog.tsx')).FlavourDialog,
}));
const SendSecretDialog = lazy(async () => ({
  default: (await import('../box/send-secret/send-secret-dialog.tsx')).SendSecretDialog,
}));
const RecoveryDialog = lazy(async () => ({
  default: (await import('../box/recovery/recovery-dialog.tsx')).RecoveryDialog,
}));
const PriceDialog = lazy(async () => ({
  default: (await import('../costs/price/price-dialog.tsx')).PriceDialog,
}));
const AddTunnelDialog = lazy(async () => ({
  default: (await import('../box/tunnels/add-tunnel-dialog.tsx')).AddTunnelDialog,
}));
const NewWatchDialog = lazy(async () => ({
  default: (await import('../box/runs/sentinels/new-watch-dialog.tsx')).NewWatchDialog,
}));
const HoldersDialog = lazy(async () => ({
  default: (await import('../box/processes/holders-dialog.tsx')).HoldersDialog,
}));
const LaunchDialog = lazy(async () => ({
  default: (await import('../box/runs/launch/launch-dialog.tsx')).LaunchDialog,
}));
const SweepDialog = lazy(async () => ({
  default: (await import('../sweeps/sweep-dialog.tsx')).SweepDialog,
}));
const NewMachineDialog = lazy(async () => ({
  default: (await import('../box/host-key/new-machine-dialog.tsx')).NewMachineDialog,
}));

const PushDialog = lazy(async () => ({
  default: (await import('../box/runs/push/push-dialog.tsx')).PushDialog,
}));
const EndRunDialog = lazy(async () => ({
  default: (await import('../box/runs/launch/end-run-dialog.tsx')).EndRunDialog,
}));

/** Whatever lies over the page, each loaded when it is opened. */
export function Overlays() {
  const overlay = useView((view) => view.overlay);
  return (
    <Suspense fallback={null}>
      {overlay.kind === 'palette' && <CommandPalette onClose={overlayClosed} />}
      {overlay.kind === 'add-box' && (
        <AddBoxDialog firstWay={overlay.way ?? 'command'} onClose={overlayClosed} />
      )}
      {overlay.kind === 'clocks' && (
        <ClocksDialog
          boxId={overlay.boxId}
          firstClockId={overlay.clockId ?? null}
          isOwnFirst={overlay.isOwn ?? false}
          onClose={overlayClosed}
        />
      )}
      {overlay.kind === 'rename-box' && (
        <RenameBoxDialog boxId={overlay.boxId} onClose={overlayClosed} />
      )}
      {overlay.kind === 'tags' && <TagsDialog boxId={overlay.boxId} onClose={overlayClosed} />}
      {overlay.kind === 'edit-connection' && (
        <EditConnectionDialog boxId={overlay.boxId} onClose={overlayClosed} />
      )}
      {overlay.kind === 'forget-box' && (
        <ForgetBoxDialog boxId={overlay.boxId} onClose={overlayClosed} />
      )}
      {overlay.kind === 'new-machine' && (
        <NewMachineDialog boxId={overlay.boxId} onClose={overlayClosed} />
      )}
      {overlay.kind === 'install-key' && (
        <InstallKeyDialog boxId={overlay.boxId} onClose={overlayClosed} />
      )}
      {overlay.kind === 'flavour' && (
        <FlavourDialog boxId={overlay.boxId} onClose={overlayClosed} />
      )}
      {overlay.kind === 'send-secret' && (
        <SendSecretDialog boxId={overlay.boxId} onClose={overlayClosed} />
      )}
      {overlay.kind === 'recovery' && (
        <RecoveryDialog
          boxId={overlay.boxId}
          isToCopy={overlay.isToCopy ?? false}
          onClose={overlayClosed}
        />
      )}
      {overlay.kind === 'set-price' && (
        <PriceDialog key={overlay.boxId} boxId={overlay.boxId} onClose={overlayClosed} />
      )}
      {overlay.kind === 'add-tunnel' && (
        <AddTunnelDialog
          boxId={overlay.boxId}
          targetPort={overlay.targetPort ?? null}
          onClose={overlayClosed}
        />
      )}
      {overlay.kind === 'new-watch' && (
        <NewWatchDialog boxId={overlay.boxId} run={overlay.run ?? null} onClose={overlayClosed} />
      )}
      {overlay.kind === 'holders' && (
        <HoldersDialog boxId={overlay.boxId} onClose={overlayClosed} />
      )}
      {overlay.kind === 'launch-sweep' && <SweepDialog onClose={overlayClosed} />}
      {overlay.kind === 'launch' && (
        <LaunchDialog
          key={overlay.boxId}
          boxId={overlay.boxId}
          isQueue={overlay.isQueue ?? false}
          isFromFile={overlay.isFromFile ?? false}
          onClose={overlayClosed}
        />
      )}
      {overlay.kind === 'push' && (
        <PushDialog boxId={overlay.boxId} run={overlay.run} onClose={overlayClosed} />
      )}
      {overlay.kind === 'end-run' && (
        <EndRunDialog
          boxId={overlay.boxId}
          id={overlay.runId}
          name={overlay.name}
          onClose={overlayClosed}
        />
      )}
      {overlay.kind === 'on-page' && <PartLeft />}
      {overlay.kind === 'question' && (
        <QuestionDialog key={overlay.questionId} questionId={overlay.questionId} />
      )}
    </Suspense>
  );
}

/** A page that never came to what was asked of it takes the wish along when it is left. */
function PartLeft() {
  useEffect(
    () =>
      useView.subscribe(({ page, overlay }, before) => {
        if (page !== before.page && overlay === before.overlay) overlayClosed();
      }),
    [],
  );
  return null;
}
