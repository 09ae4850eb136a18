import { useState, type ReactNode } from 'react';
import { planRefOf } from '../../../../shared/plan/plan.ts';
import type { Problem } from '../../../../shared/problem.ts';
import { isDelivered, postWords, type PostOutcome } from '../../../../shared/push/post-outcome.ts';
import { waitWords, withoutMarks } from '../../../../shared/push/push-message.ts';
import type { PushPlan, PushView } from '../../../../shared/push/push-plan.ts';
import type { Result } from '../../../../shared/result.ts';
import { call } from '../../../state/bridge.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { DialogFooter } from '../../../ui/dialog.tsx';
import { Glyph, type Tone } from '../../../ui/glyph.tsx';
import { Refusal } from '../../../ui/problem-note.tsx';
import { PlannedFiles } from '../planned-files.tsx';
import { targetWords } from './push-words.ts';
import styles from './push.module.css';

interface PushPreviewProps {
  readonly boxId: string;
  readonly plan: PushPlan;
  readonly onBack: () => void;
  readonly onArmed: (view: PushView) => void;
}

type Doing = 'test' | 'arm' | null;

/** Exactly what arming puts on the box. Nothing is there yet. */
export function PushPreview({ boxId, plan, onBack, onArmed }: PushPreviewProps) {
  const [doing, setDoing] = useState<Doing>(null);
  const [tested, setTested] = useState<Result<PostOutcome, Problem> | null>(null);
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const shown = { boxId, plan: planRefOf(plan.plan) };

  async function test(): Promise<void> {
    setDoing('test');
    setTested(null);
    setTested(await call('push:test', shown));
    setDoing(null);
  }
  async function arm(): Promise<void> {
    setDoing('arm');
    setRefusal(null);
    const answer = await call('push:arm', shown);
    setDoing(null);
    if (answer.ok) onArmed(answer.value);
    else setRefusal(answer.error);
  }

  return (
    <div className={styles['form']}>
      <Warnings plan={plan} />
      <section className={styles['part']} aria-label="What is posted">
        <h3>What is posted, with {plan.tool}</h3>
        <p className={styles['muted']}>
          To {targetWords(plan.target)}. These lines go over the connection into the memory of the
          watching process: address and token are in no file, no command and no environment on the
          box
          {plan.tool === 'wget' && ', except for a file of yours alone while wget posts'}.
        </p>
        <Posted plan={plan} />
      </section>
      <section className={styles['part']} aria-label="What is put on the box">
        <h3>What is put on the box</h3>
        <p className={styles['muted']}>
          Into <code>{plan.folder}</code>, a folder of yours alone (0700), each file 0600.
        </p>
        <PlannedFiles files={plan.files} />
      </section>
      <section className={styles['part']} aria-label="How it ends">
        <h3>How it ends</h3>
        <p className={styles['muted']}>
          By itself, once it has posted or after {waitWords(plan.maxHours)}; under “Told from the
          box” in the Runs tab; or by hand, within 15 s:
        </p>
        <p className={styles['hand']}>
          <code className="selectable">{plan.byHand}</code>
          <CopyButton text={plan.byHand} label="Copy" />
        </p>
      </section>
      <p className={styles['note']}>
        <Glyph tone="info" />
        <span>
          A box that is switched off, restarted or without a network tells nothing, and where memory
          runs out the watching process may be ended as well: no message does not mean that the run
          goes on. Danger clocks and checks watch for that while Leasehold runs.
        </span>
      </p>
      <div role="status" className={styles['status']}>
        {doing === 'test' && <Line isNews tone="wait" words="The box posts a test…" />}
        {doing === 'arm' && <Line isNews tone="wait" words="Arming it and reading it back…" />}
        {doing === null && tested?.ok === true && <Tested outcome={tested.value} />}
      </div>
      <Refusal problem={tested?.ok === false ? tested.error : null} />
      <Refusal problem={refusal} />
      <DialogFooter>
        <Button autoFocus disabled={doing !== null} onClick={onBack}>
          Back
        </Button>
        <Button disabled={doing !== null} onClick={() => void test()}>
          Send a test from the box
        </Button>
        <Button look="primary" disabled={doing !== null} onClick={() => void arm()}>
          Arm
        </Button>
      </DialogFooter>
    </div>
  );
}

function Warnings({ plan }: { readonly plan: PushPlan }) {
  return (
    <>
      {plan.isReplacing && (
        <Line
          tone="info"
          words="One waits for this run already. This takes its place, and the other one is ended."
        />
      )}
      {plan.isBoxItself && (
        <Line
          tone="warn"
          words={`${plan.target.host ?? 'This address'} is the box itself, as seen from there, and not this computer.`}
        />
      )}
    </>
  );
}

/** The message as a person will read it, and each line as main sends it, with what is secret masked. */
function Posted({ plan: { messages, secretLines } }: { readonly plan: PushPlan }) {
  const [address, authorization, ended, expired] = secretLines;
  return (
    <dl className={styles['lines']}>
      <Row name="Address">
        <code className="selectable">{address}</code>
      </Row>
      <Row name="Authorization">
        {authorization === '' ? 'none' : <code className="selectable">{authorization}</code>}
      </Row>
      <Row name="When it has ended">
        <Message message={messages.ended} exact={ended} />
      </Row>
      <Row name="When the wait is over">
        <Message message={messages.expired} exact={expired} />
      </Row>
    </dl>
  );
}

function Row({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface MessageProps {
  readonly message: PushPlan['messages']['ended'];
  readonly exact: string | undefined;
}

function Message({ message: { title, body }, exact }: MessageProps) {
  return (
    <>
      <strong>{title}</strong>
      <br />
      {withoutMarks(body)}
      <details>
        <summary>Show it as it is sent</summary>
        <code className="selectable">{exact}</code>
      </details>
    </>
  );
}

function Tested({ outcome }: { readonly outcome: PostOutcome }) {
  return isDelivered(outcome) ? (
    <Line isNews tone="ok" words={`The test was ${postWords(outcome)}.`} />
  ) : (
    <Line
      isNews
      tone="danger"
      words={`The test did not arrive: ${postWords(outcome)}. The message at the end would not arrive either: correct the address, or the box’s way out, and test again.`}
    />
  );
}

interface LineProps {
  readonly tone: Tone;
  readonly words: string;
  /** What has come just now. */
  readonly isNews?: boolean;
}

function Line({ tone, words, isNews = false }: LineProps) {
  return (
    <p className={styles['steps']} ref={isNews ? intoView : undefined}>
      <Glyph tone={tone} />
      <span>{words}</span>
    </p>
  );
}

/** In a small window the foot of the preview is out of sight when something comes there. */
function intoView(line: HTMLElement | null): void {
  line?.scrollIntoView({ block: 'nearest' });
}
