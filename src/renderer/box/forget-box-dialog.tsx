import { useState } from 'react';
import { isArchived } from '../../shared/boxes/archived.ts';
import type { Problem } from '../../shared/problem.ts';
import { call } from '../state/bridge.ts';
import { selectEntry, useFleet } from '../state/feeds.ts';
import { boxForgotten } from '../state/box-forgotten.ts';
import { tabChosen } from '../state/view.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { RestingFacts } from '../facts/resting-facts.tsx';
import { platformName } from '../../shared/profiles/platform-names.ts';
import { useProfile } from '../state/profiles.ts';
import { Refusal } from '../ui/problem-note.tsx';

/** Afterwards nobody here counts what it costs, so what ends that is said before, with its age. */
function BillingFacts({ boxId }: { readonly boxId: string }) {
  const platform = useFleet((feed) => selectEntry(boxId)(feed)?.box.platform ?? '');
  const profile = useProfile(platform);
  if (profile === null) return null;
  const { billing, actions, sources } = profile;
  const ends = actions.filter(({ kind }) => kind === 'destroy' || kind === 'delete-storage');
  return (
    <RestingFacts
      title={`What ends its billing on ${platformName(platform)}`}
      sources={sources}
      facts={[
        { ...billing, says: billing.stopVerb },
        ...ends.map((action) => ({
          ...action,
          says: `${action.verb} deletes: ${action.deletes ?? 'not known; expect everything'}`,
        })),
      ]}
    />
  );
}

interface ForgetBoxDialogProps {
  readonly boxId: string;
  readonly onClose: () => void;
}

const STILL_THERE =
  'This does not tear it down. The machine itself is not touched: it keeps running and keeps billing until you end it on your platform. Leasehold only takes it off its list, and no longer counts what it costs.';
/** Of one in the archive. What was proven, and the copies, depend on no box in the list. */
const GONE =
  'Its charts, alerts and notes are deleted from this computer, and so are its host keys and tunnels. Its receipt, what the evidence has of it, what it cost and the results that you brought home stay.';

/** Removing it here is no teardown, and whoever mixes the two up goes on paying: the text says so first. */
export function ForgetBoxDialog({ boxId, onClose }: ForgetBoxDialogProps) {
  const box = useFleet((feed) => selectEntry(boxId)(feed)?.box);
  const isGone = box !== undefined && isArchived(box);
  const name = box?.name ?? 'this box';
  const [refusal, setRefusal] = useState<Problem | null>(null);

  async function confirmed(): Promise<void> {
    const forgotten = await call('box:forget', { boxId });
    if (!forgotten.ok) {
      setRefusal(forgotten.error);
      return;
    }
    onClose();
    boxForgotten(boxId);
  }

  return (
    <ConfirmDialog
      title={isGone ? `Delete the history of ${name}?` : `Remove ${name} from Leasehold?`}
      description={isGone ? GONE : STILL_THERE}
      cancel="Cancel"
      confirm={isGone ? 'Delete history' : 'Remove from Leasehold'}
      onConfirm={() => void confirmed()}
      onClose={onClose}
    >
      {!isGone && (
        <>
          <BillingFacts boxId={boxId} />
          <Button
            size="small"
            onClick={() => {
              onClose();
              tabChosen(boxId, 'teardown');
            }}
          >
            Go to Teardown instead
          </Button>
        </>
      )}
      <Refusal problem={refusal} />
    </ConfirmDialog>
  );
}
