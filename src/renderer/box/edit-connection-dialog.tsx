import { useState, type SyntheticEvent } from 'react';
import type { Box } from '../../shared/boxes/box.ts';
import type { Problem } from '../../shared/problem.ts';
import { ConnectionFields } from '../fleet/connection/connection-fields.tsx';
import { fromConnection } from '../fleet/connection/connection-values.ts';
import { focusFirstError } from '../fleet/connection/focus-first-error.ts';
import { sendConnection } from '../fleet/connection/send-connection.ts';
import { useConnectionForm } from '../fleet/connection/use-connection-form.ts';
import { call } from '../state/bridge.ts';
import { selectEntry, useFleet } from '../state/feeds.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogFooter } from '../ui/dialog.tsx';
import { Refusal } from '../ui/problem-note.tsx';
import styles from '../fleet/add-box-dialog.module.css';

interface EditConnectionDialogProps {
  readonly boxId: string;
  readonly onClose: () => void;
}

export function EditConnectionDialog({ boxId, onClose }: EditConnectionDialogProps) {
  const box = useFleet((feed) => selectEntry(boxId)(feed)?.box);
  if (box === undefined) return null;
  return (
    <Dialog
      title={`Edit connection of ${box.name}`}
      description="A box that is connected is reconnected. The host key that you trusted stays: another machine at the new address is refused. A password that is remembered for the old address is not sent to a new one."
      onClose={onClose}
    >
      <EditForm key={box.id} box={box} onClose={onClose} />
    </Dialog>
  );
}

function EditForm({ box, onClose }: { readonly box: Box; readonly onClose: () => void }) {
  const form = useConnectionForm(fromConnection(box));
  const [refusal, setRefusal] = useState<Problem | null>(null);

  async function submitted(event: SyntheticEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    form.touch(Object.keys(form.errors));
    if (Object.keys(form.errors).length > 0) {
      focusFirstError(event.currentTarget);
      return;
    }
    const changed = await sendConnection(form.values, (connection) =>
      call('box:edit', { boxId: box.id, connection }),
    );
    if (changed.ok) onClose();
    else setRefusal(changed.error);
  }

  return (
    <form className={styles['form']} noValidate onSubmit={(event) => void submitted(event)}>
      <ConnectionFields form={form} />
      <Refusal problem={refusal} />
      <DialogFooter>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary">
          Save
        </Button>
      </DialogFooter>
    </form>
  );
}
