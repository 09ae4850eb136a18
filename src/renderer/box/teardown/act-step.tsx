import type { Box } from '../../../shared/boxes/box.ts';
import type { Profile } from '../../../shared/profiles/profile.ts';
import { endVerbs, verbTitle } from '../../../shared/teardown/end-verb.ts';
import { personsPart, pictureOf } from '../../../shared/teardown/judge-gone.ts';
import type { GateState } from '../../../shared/teardown/gate.ts';
import { holdsUp, type TeardownView } from '../../../shared/teardown/teardown-view.ts';
import { textOf } from '../../../shared/runs/launch/run-words.ts';
import { RestingFacts } from '../../facts/resting-facts.tsx';
import { addressWords } from '../../fleet/connection/connection-words.ts';
import { call } from '../../state/bridge.ts';
import { Button } from '../../ui/button.tsx';
import { formatDate } from '../../ui/format.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { Refusal } from '../../ui/problem-note.tsx';
import { NoEnds } from './beside-verbs.tsx';
import { CannotConfirm } from './cannot-confirm.tsx';
import { ProviderAct } from './provider-act.tsx';
import { useAsking } from './use-teardown.ts';
import { WaitingCost } from './waiting-cost.tsx';
import styles from './teardown.module.css';

interface ActStepProps {
  readonly box: Box;
  readonly profile: Profile | null;
  readonly gate: Extract<GateState, { readonly kind: 'approved' | 'acting' | 'unconfirmed' }>;
  readonly view: TeardownView;
}

/** The end itself, and how it is confirmed. */
export function ActStep({ box, profile, gate, view }: ActStepProps) {
  const { refusal, isBusy: isAsking, ask } = useAsking();
  const boxId = box.id;
  const { provider, told, doing } = view;
  const isOff = holdsUp(doing) || isAsking;
  const name = gate.kind === 'approved' ? gate.approval.verb : gate.act.verb;
  const verb = profile && endVerbs(profile).find((each) => each.verb === name);
  if (gate.kind === 'approved') {
    return (
      <>
        <p className={styles['lead']}>
          You approved “{name}”. Leasehold checks the box once more, records the approval in the
          evidence log, and then{' '}
          {provider === null ? 'shows you what to do' : `sends the request to ${provider}`}.
        </p>
        <div className={styles['buttons']}>
          <Button
            look="danger"
            disabled={isOff}
            onClick={() => ask(call('teardown:begin', { boxId }))}
          >
            Go ahead
          </Button>
          <Button disabled={isOff} onClick={() => ask(call('teardown:withdraw', { boxId }))}>
            Withdraw approval
          </Button>
        </div>
        <Refusal problem={refusal} />
      </>
    );
  }
  const unconfirmed = gate.kind === 'unconfirmed' && (
    <p className={styles['warn']} role="status">
      <Glyph tone="warn" />
      <span>The cost meter keeps running. {textOf(gate.because)}</span>
    </p>
  );
  const waiting = <WaitingCost {...{ boxId }} doneBytes={0} bytes={0} />;
  if (provider !== null) {
    const isBusy = holdsUp(doing) && doing?.kind !== 'confirming';
    return (
      <>
        {unconfirmed}
        <ProviderAct
          {...{ box, provider, told, isBusy }}
          underWay={gate}
          isUnconfirmed={gate.kind === 'unconfirmed'}
        />
        {waiting}
      </>
    );
  }
  return (
    <>
      <ol className={styles['hand']}>
        <li>
          Open the console of your provider and find the machine at{' '}
          <span className="mono selectable">{addressWords(box.address)}</span>.
        </li>
        <li>
          {verb === null || verb === undefined ? name : verbTitle(verb)}
          {verb?.how === null || verb === null || verb === undefined ? '.' : `: ${verb.how}.`}
        </li>
        <li>
          Come back and confirm it. Leasehold then checks that nothing answers at the address.
        </li>
      </ol>
      {profile !== null && <NoEnds profile={profile} />}
      {profile !== null && verb !== undefined && verb !== null && (
        <RestingFacts
          title={`What this does on ${profile.name}`}
          sources={profile.sources}
          facts={[{ ...verb, says: `Deletes: ${verb.deletes ?? 'not known; expect everything'}.` }]}
        />
      )}
      {unconfirmed}
      <div className={styles['buttons']}>
        <Button
          look="primary"
          disabled={isOff}
          onClick={() => ask(call('teardown:confirm', { boxId, saidTo: pictureOf(gate) }))}
        >
          I have done it – check
        </Button>
        <Button
          disabled={isOff}
          onClick={() => ask(call('teardown:confirm', { boxId, saidTo: null }))}
        >
          Check only
        </Button>
        <Button
          look="quiet"
          disabled={isOff}
          onClick={() => ask(call('teardown:call-off', { boxId }))}
        >
          I did not do it
        </Button>
      </div>
      {personsPart(gate) === 'cannot-confirm' && <CannotConfirm box={box} />}
      <p className={styles['note']}>Approved {formatDate(gate.act.approvedAtMs)}.</p>
      {waiting}
      <Refusal problem={refusal} />
    </>
  );
}
