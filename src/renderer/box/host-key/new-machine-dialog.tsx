import { useState } from 'react';
import { MAX_EXPECTED_CHARS } from '../../../shared/boxes/known-hosts/compare-expected.ts';
import { judgePhrase, type PhraseVerdict } from '../../../shared/boxes/known-hosts/judge-phrase.ts';
import type { OfferedKey } from '../../../shared/boxes/host-key.ts';
import { planRefOf, type Plan } from '../../../shared/plan/plan.ts';
import type { Problem } from '../../../shared/problem.ts';
import { call } from '../../state/bridge.ts';
import { selectEntry, useFleet } from '../../state/feeds.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogFooter } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Refusal } from '../../ui/problem-note.tsx';
import { CompareHow } from './compare-how.tsx';
import styles from './host-key.module.css';

interface NewMachineDialogProps {
  readonly boxId: string;
  readonly onClose: () => void;
}

/**
 * The calm way for a rental that was re-created. It asks for something that nobody types by habit, and main decides: it
 * compares the phrase again, asks the server again, and replaces the identity only when the server proves this key.
 */
export function NewMachineDialog({ boxId, onClose }: NewMachineDialogProps) {
  const boxName = useFleet((feed) => selectEntry(boxId)(feed)?.box.name ?? '');
  const question = useFleet((feed) => selectEntry(boxId)(feed)?.link);
  // The key that was on the screen when the dialog opened: what is offered later is another question.
  const [asked] = useState(question?.kind === 'host-key-changed' ? question : null);
  if (asked === null) return <NothingToReplace name={boxName} onClose={onClose} />;
  const { offered, jumpHost, plan } = asked;
  // Main knows a jump host by its address: that is what it compares.
  const name = jumpHost === null ? boxName : jumpHost.address.host;
  const what = jumpHost === null ? 'box' : 'jump host';
  return <ReplaceForm {...{ boxId, name, what, offered, plan, onClose }} />;
}

interface ReplaceFormProps extends NewMachineDialogProps {
  readonly name: string;
  readonly what: 'box' | 'jump host';
  readonly offered: OfferedKey;
  readonly plan: Plan;
}

function ReplaceForm({ boxId, name, what, offered, plan, onClose }: ReplaceFormProps) {
  const [phrase, setPhrase] = useState('');
  const [isAsking, setIsAsking] = useState(false);
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const verdict = judgePhrase(phrase, name, offered);

  async function confirmed(): Promise<void> {
    setIsAsking(true);
    setRefusal(null);
    const input = { boxId, plan: planRefOf(plan), phrase };
    const replaced = await call('link:replace-host-key', input);
    setIsAsking(false);
    if (replaced.ok) onClose();
    else setRefusal(replaced.error);
  }

  return (
    <Dialog
      title={`Is ${name} a new machine?`}
      description="Confirm only if you re-created it or your platform moved it. Someone between you and it would look exactly the same from here."
      onClose={onClose}
    >
      <div className={styles['flow']}>
        <ul className={styles['how']}>
          <li>
            The new key becomes the identity of this {what}. The old one stays in its history.
          </li>
          <li>What was on the old machine’s disk may not be on this one.</li>
          <li>Leasehold asks the machine again and stops if it shows any other key.</li>
        </ul>
        <dl className={styles['keys']}>
          <dt>New key</dt>
          <dd>
            <span className={`${styles['fingerprint']} mono selectable`}>
              {offered.fingerprint}
            </span>
            <small>{offered.type}</small>
          </dd>
        </dl>
        <CompareHow keyType={offered.type} />
        <Field
          label={`Paste the new fingerprint, or type the ${what}’s name`}
          placeholder={name}
          value={phrase}
          error={phraseError(verdict)}
          hint={phraseHint(verdict, phrase, what)}
          isMono
          maxLength={MAX_EXPECTED_CHARS}
          onValue={setPhrase}
        />
        <Refusal problem={refusal} tone="danger" />
      </div>
      <DialogFooter>
        <Button autoFocus onClick={onClose}>
          Keep the old identity
        </Button>
        <Button
          look="danger"
          disabled={isAsking || verdict === 'wrong' || verdict === 'other-fingerprint'}
          onClick={() => void confirmed()}
        >
          {isAsking ? 'Asking the machine…' : 'Replace the identity'}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

function NothingToReplace({
  name,
  onClose,
}: {
  readonly name: string;
  readonly onClose: () => void;
}) {
  return (
    <Dialog
      title={`Is ${name} a new machine?`}
      description="Its host key is not in question any more: the box offers the key that you trust, or it is not connected."
      onClose={onClose}
    >
      <DialogFooter>
        <Button autoFocus onClick={onClose}>
          Close
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

function phraseError(verdict: PhraseVerdict): string | null {
  return verdict === 'other-fingerprint'
    ? 'This is the fingerprint of another key. Do not connect.'
    : null;
}

function phraseHint(
  verdict: PhraseVerdict,
  phrase: string,
  what: ReplaceFormProps['what'],
): string {
  if (verdict === 'fingerprint') return 'The same key.';
  if (verdict === 'name')
    return `The ${what}’s name. Pasting the new fingerprint would prove more.`;
  return phrase.trim() === ''
    ? 'The fingerprint proves more than the name: it comes from the machine itself.'
    : `Not the ${what}’s name, and no whole SHA-256 fingerprint.`;
}
