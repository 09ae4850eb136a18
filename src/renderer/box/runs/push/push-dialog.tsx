import { useState, type FormEvent } from 'react';
import type { Problem } from '../../../../shared/problem.ts';
import type { PushWanted } from '../../../../shared/push/push-input.ts';
import { waitWords } from '../../../../shared/push/push-message.ts';
import { PUSH_WAITS_H, type PushPlan } from '../../../../shared/push/push-plan.ts';
import { EMPTY_WEBHOOK, WebhookFields } from '../../../settings/webhook-fields.tsx';
import { call } from '../../../state/bridge.ts';
import { useWebhook } from '../../../state/feeds.ts';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Dialog, DialogFooter } from '../../../ui/dialog.tsx';
import { Glyph } from '../../../ui/glyph.tsx';
import { Refusal } from '../../../ui/problem-note.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { pushesAnswered, selectPushes, usePushes } from './push-looks.ts';
import { PushPreview } from './push-preview.tsx';
import { targetWords } from './push-words.ts';
import styles from './push.module.css';

/** What the box tells the end of. */
export interface PushedRun {
  readonly of: PushWanted['run'];
  readonly title: string;
}

interface PushDialogProps {
  readonly boxId: string;
  readonly run: PushedRun;
  readonly onClose: () => void;
}

type Stage =
  | { readonly kind: 'asking'; readonly problem: Problem | null }
  | { readonly kind: 'planning' }
  | { readonly kind: 'shown'; readonly plan: PushPlan }
  | { readonly kind: 'armed' };

/** Where to and how long; then exactly what goes to the box; then, after a yes, what the box shows of it. */
export function PushDialog({ boxId, run, onClose }: PushDialogProps) {
  const [stage, setStage] = useState<Stage>({ kind: 'asking', problem: null });
  const [asked, setAsked] = useState<Asked | null>(null);

  async function plan(wanted: Asked): Promise<void> {
    setAsked(wanted);
    setStage({ kind: 'planning' });
    const { to, values, maxHours } = wanted;
    const { kind: webhookKind, url, token, isPlainAllowed } = values;
    const answer = await call('push:plan', {
      boxId,
      run: run.of,
      maxHours,
      to:
        to === 'typed'
          ? { kind: 'typed', webhookKind, url: url.trim(), token, isPlainAllowed }
          : { kind: to },
    });
    setStage(
      answer.ok ? { kind: 'shown', plan: answer.value } : { kind: 'asking', problem: answer.error },
    );
  }

  return (
    <Dialog
      title="Notify from the box when it ends"
      description="A small script waits on the box and posts one message when this run is gone: also while this computer sleeps and Leasehold is closed."
      isWide={stage.kind === 'shown'}
      onClose={onClose}
    >
      {stage.kind !== 'armed' && (
        <p className={classNames(styles['run'], 'mono selectable')}>{run.title}</p>
      )}
      {(stage.kind === 'asking' || stage.kind === 'planning') && (
        <PushForm
          boxId={boxId}
          before={asked}
          isBusy={stage.kind === 'planning'}
          problem={stage.kind === 'asking' ? stage.problem : null}
          onWanted={(wanted) => void plan(wanted)}
          onClose={onClose}
        />
      )}
      {stage.kind === 'shown' && (
        <PushPreview
          boxId={boxId}
          plan={stage.plan}
          onBack={() => setStage({ kind: 'asking', problem: null })}
          onArmed={(view) => {
            pushesAnswered(boxId, { ok: true, value: view });
            setStage({ kind: 'armed' });
          }}
        />
      )}
      {stage.kind === 'armed' && (
        <>
          <p className={styles['done']} role="status">
            <Glyph tone="ok" />
            <span>
              Armed: the box was asked again, and its process table shows the watching process. It
              stands under “Told from the box” in the Runs tab, with the way to cancel it.
            </span>
          </p>
          <DialogFooter>
            <Button look="primary" autoFocus onClick={onClose}>
              Done
            </Button>
          </DialogFooter>
        </>
      )}
    </Dialog>
  );
}

type To = 'webhook' | 'own' | 'typed';

interface Asked {
  readonly to: To;
  readonly values: typeof EMPTY_WEBHOOK;
  readonly maxHours: number;
}

interface PushFormProps {
  readonly boxId: string;
  /** What was chosen before the person came back from the preview. */
  readonly before: Asked | null;
  readonly isBusy: boolean;
  readonly problem: Problem | null;
  readonly onWanted: (wanted: Asked) => void;
  readonly onClose: () => void;
}

const WAITS = PUSH_WAITS_H.map((value) => ({ value, label: waitWords(value) }));
/** A long training, and no waiter for ever (U16). */
const USUAL_WAIT_H = 168;

function PushForm({ boxId, before, isBusy, problem, onWanted, onClose }: PushFormProps) {
  const feed = useWebhook();
  const webhook = feed.kind === 'live' ? feed.state.target : null;
  const own = usePushes(selectPushes(boxId)).view?.own ?? null;
  const known = {
    webhook: webhook?.host === undefined || webhook.host === null ? null : targetWords(webhook),
    own: own === null ? null : targetWords(own),
  };
  const [chosen, setChosen] = useState<To | null>(before?.to ?? null);
  const [values, setValues] = useState(before?.values ?? EMPTY_WEBHOOK);
  const [maxHours, setMaxHours] = useState(before?.maxHours ?? USUAL_WAIT_H);
  const to = chosen ?? (known.webhook !== null ? 'webhook' : known.own !== null ? 'own' : 'typed');
  const ways = [
    ...(known.webhook === null
      ? []
      : [{ value: 'webhook' as const, label: 'The webhook of Settings' }]),
    ...(known.own === null ? [] : [{ value: 'own' as const, label: 'As the last time' }]),
    { value: 'typed' as const, label: 'Another address' },
  ];
  const isReady = !isBusy && (to !== 'typed' || values.url.trim() !== '');

  function submitted(event: FormEvent): void {
    event.preventDefault();
    if (isReady) onWanted({ to, values, maxHours });
  }

  return (
    <form className={styles['form']} noValidate onSubmit={submitted}>
      <fieldset className={styles['fields']} disabled={isBusy}>
        <div className={styles['part']}>
          <h3>Where to</h3>
          {ways.length > 1 && (
            <Segmented label="Where to" options={ways} value={to} onChange={setChosen} />
          )}
          {to === 'typed' ? (
            <WebhookFields
              label="What takes the message"
              values={values}
              hadToken={false}
              fieldsIn="docs/patrol.md"
              onChange={setValues}
            />
          ) : (
            <p className={styles['muted']}>{known[to]}</p>
          )}
        </div>
        <div className={styles['part']}>
          <h3>Waits at most</h3>
          <Segmented
            label="Waits at most"
            options={WAITS}
            value={maxHours}
            onChange={setMaxHours}
          />
          <p className={styles['muted']}>
            If the run goes on for longer, you are told that too, and it stops waiting.
          </p>
        </div>
      </fieldset>
      <div role="status">
        {isBusy && (
          <p className={styles['steps']}>
            <Glyph tone="wait" />
            Looking at what the box can do…
          </p>
        )}
      </div>
      <Refusal problem={problem} />
      <DialogFooter>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" disabled={!isReady}>
          Show what goes to the box
        </Button>
      </DialogFooter>
    </form>
  );
}
