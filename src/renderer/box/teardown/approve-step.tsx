import { useState } from 'react';
import type { Box } from '../../../shared/boxes/box.ts';
import type { Profile } from '../../../shared/profiles/profile.ts';
import { endVerbs, verbTitle, type EndVerb } from '../../../shared/teardown/end-verb.ts';
import { openBlockers, type Inspection } from '../../../shared/teardown/inspection.ts';
import { FactStamp } from '../../facts/fact-stamp.tsx';
import { call } from '../../state/bridge.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Refusal } from '../../ui/problem-note.tsx';
import { Invented, NoEnds } from './beside-verbs.tsx';
import { BlockerList } from './blocker-list.tsx';
import { LeftList } from './left-list.tsx';
import { useAsking } from './use-teardown.ts';
import styles from './teardown.module.css';

interface ApproveStepProps {
  readonly box: Box;
  readonly profile: Profile | null;
  readonly inspection: Inspection;
  readonly isOpen: boolean;
  readonly isBusy: boolean;
}

/** What each verb of the platform really does, side by side, and the yes to one of them. */
export function ApproveStep({ box, profile, inspection, isOpen, isBusy }: ApproveStepProps) {
  const verbs = profile === null ? [] : endVerbs(profile);
  const [chosen, setChosen] = useState<string | null>(
    verbs.length === 1 ? (verbs[0]?.verb ?? null) : null,
  );
  const [typed, setTyped] = useState('');
  const { refusal, isBusy: isAsking, ask } = useAsking();
  if (profile === null || verbs.length === 0) {
    return (
      <p className={styles['lead']}>
        Leasehold does not know what ends a box on this platform. Choose its platform under Facts.
      </p>
    );
  }
  const verb = verbs.find((each) => each.verb === chosen);
  const effects = inspection.blockers.filter((each) => each.verb !== null && each.verb === chosen);
  const isFree = isOpen && openBlockers(inspection, chosen).length === 0;
  return (
    <>
      <fieldset className={styles['verbs']}>
        <legend className={styles['lead']}>What should happen to the machine?</legend>
        {verbs.map((each) => (
          <VerbCard
            key={each.verb}
            verb={each}
            sources={profile.sources}
            isChosen={each.verb === chosen}
            onChoose={() => setChosen(each.verb)}
          />
        ))}
      </fieldset>
      <NoEnds profile={profile} />
      <Invented profile={profile} />
      <BlockerList boxId={box.id} blockers={effects} isBusy={isBusy} />
      <LeftList inspection={inspection} none={null} />
      <form
        className={styles['yes']}
        onSubmit={(event) => {
          event.preventDefault();
          if (verb === undefined) return;
          const { digest } = inspection;
          ask(call('teardown:approve', { boxId: box.id, verb: verb.verb, digest, typed }), () =>
            setTyped(''),
          );
        }}
      >
        <Field
          label={`Type “${box.name}” to approve`}
          hint={
            isFree
              ? 'Your approval lasts ten minutes, and is void as soon as anything on the box changes.'
              : isOpen
                ? 'First settle what this action does, above.'
                : 'First settle what is open in the steps before.'
          }
          value={typed}
          disabled={!isFree || verb === undefined}
          onValue={setTyped}
        />
        <Button
          type="submit"
          look="danger"
          disabled={!isFree || verb === undefined || typed !== box.name || isAsking || isBusy}
        >
          {verb === undefined ? 'Approve' : `Approve “${verb.verb}”`}
        </Button>
      </form>
      <Refusal problem={refusal} />
    </>
  );
}

interface VerbCardProps {
  readonly verb: EndVerb;
  readonly sources: readonly string[];
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function VerbCard({ verb, sources, isChosen, onChoose }: VerbCardProps) {
  const { stopsCompute, stopsStorage, deletes, isReversible, note, how } = verb;
  return (
    <label className={styles['verb']} data-chosen={isChosen}>
      <span className={styles['verbHead']}>
        <input type="radio" name="verb" checked={isChosen} onChange={onChoose} />
        <strong>{verbTitle(verb)}</strong>
      </span>
      <dl>
        <dt>Deletes</dt>
        <dd>{deletes ?? 'Not known: expect everything'}</dd>
        <dt>Stops billing for the machine</dt>
        <dd>{yesNo(stopsCompute)}</dd>
        <dt>Stops billing for storage</dt>
        <dd>{yesNo(stopsStorage)}</dd>
        <dt>Can be undone</dt>
        <dd>{yesNo(isReversible)}</dd>
        {how !== null && (
          <>
            <dt>How</dt>
            <dd>{how}</dd>
          </>
        )}
      </dl>
      {note !== null && <p className={styles['note']}>{note}</p>}
      <FactStamp verified={verb.verified} source={verb.source} sources={sources} />
    </label>
  );
}

function yesNo(value: EndVerb['stopsCompute']): string {
  if (value === null) return 'Not known: ask your provider';
  if (typeof value === 'string') return value;
  return value ? 'Yes' : 'No';
}
