import { useState, type FormEvent } from 'react';
import type { Problem } from '../../shared/problem.ts';
import type { Delivery, WebhookTarget } from '../../shared/webhook/delivery.ts';
import { call } from '../state/bridge.ts';
import { useWebhook } from '../state/feeds.ts';
import { Age } from '../ui/age.tsx';
import { Button } from '../ui/button.tsx';
import { useNow } from '../ui/clock.ts';
import { formatCount, formatDuration } from '../ui/format.ts';
import { Glyph, type Tone } from '../ui/glyph.tsx';
import { ProblemNote, Refusal } from '../ui/problem-note.tsx';
import { SettingLine } from './settings-group.tsx';
import styles from './settings-page.module.css';
import {
  EMPTY_WEBHOOK,
  WEBHOOK_KIND_WORDS,
  WebhookFields,
  type WebhookValues,
} from './webhook-fields.tsx';

/** Where alarms are posted, and what came of each. */
export function WebhookSection() {
  const feed = useWebhook();
  const [isEditing, setIsEditing] = useState(false);
  if (feed.kind === 'failed') return <ProblemNote problem={feed.problem} />;
  if (feed.kind === 'loading') return <SettingLine label="Webhook" hint="Reading…" />;
  const { target, deliveries } = feed.state;
  return (
    <>
      {isEditing ? (
        <WebhookForm target={target} onDone={() => setIsEditing(false)} />
      ) : (
        <WebhookLine target={target} onEdit={() => setIsEditing(true)} />
      )}
      {deliveries.length > 0 && <Deliveries deliveries={deliveries} />}
    </>
  );
}

interface WebhookLineProps {
  readonly target: WebhookTarget | null;
  readonly onEdit: () => void;
}

function WebhookLine({ target, onEdit }: WebhookLineProps) {
  const [refusal, setRefusal] = useState<Problem | null>(null);
  async function run(channel: 'webhook:test' | 'webhook:forget'): Promise<void> {
    const answer = await call(channel, {});
    setRefusal(answer.ok ? null : answer.error);
  }
  return (
    <>
      <SettingLine label="Webhook" hint={describe(target)}>
        <div className={styles['buttons']}>
          {target !== null && (
            <>
              <Button onClick={() => void run('webhook:test')}>Send a test</Button>
              <Button onClick={() => void run('webhook:forget')}>Remove</Button>
            </>
          )}
          <Button onClick={onEdit}>{target === null ? 'Set a webhook…' : 'Change…'}</Button>
        </div>
      </SettingLine>
      <Refusal problem={refusal} />
    </>
  );
}

function describe(target: WebhookTarget | null): string {
  if (target === null)
    return 'Alarms are told on this machine only, and only while Leasehold runs.';
  const kind = WEBHOOK_KIND_WORDS[target.kind];
  if (target.host === null) {
    return `${kind}; its address is not known in this session. Alarms wait until you enter it again.`;
  }
  const token = target.hasToken ? ', with an access token' : '';
  return `${kind} at ${target.host}${token}. Alarms of clocks and budgets go there too, while Leasehold runs.`;
}

interface WebhookFormProps {
  readonly target: WebhookTarget | null;
  readonly onDone: () => void;
}

function WebhookForm({ target, onDone }: WebhookFormProps) {
  const [values, setValues] = useState<WebhookValues>({
    ...EMPTY_WEBHOOK,
    kind: target?.kind ?? EMPTY_WEBHOOK.kind,
  });
  const [refusal, setRefusal] = useState<Problem | null>(null);

  async function submitted(event: FormEvent): Promise<void> {
    event.preventDefault();
    const set = await call('webhook:set', { ...values, url: values.url.trim() });
    if (set.ok) onDone();
    else setRefusal(set.error);
  }

  return (
    <form className={styles['webhook']} onSubmit={(event) => void submitted(event)}>
      <WebhookFields
        label="What takes the alarms"
        values={values}
        hadToken={target?.hasToken === true}
        fieldsIn="docs/clocks.md"
        onChange={setValues}
      />
      <Refusal problem={refusal} />
      <div className={styles['buttons']}>
        <Button type="submit" look="primary" disabled={values.url.trim() === ''}>
          Save webhook
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </form>
  );
}

function Deliveries({ deliveries }: { readonly deliveries: readonly Delivery[] }) {
  return (
    <div className={styles['deliveries']}>
      <table aria-label="Messages to the webhook">
        <thead>
          <tr>
            <th scope="col">Message</th>
            <th scope="col">Rang</th>
            <th scope="col">Last result</th>
          </tr>
        </thead>
        <tbody>
          {deliveries.map((delivery) => (
            <DeliveryRow key={delivery.news.id} delivery={delivery} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function DeliveryRow({ delivery }: { readonly delivery: Delivery }) {
  const { title, body, atMs } = delivery.news;
  const { tone, words } = resultOf(delivery, useNow());
  return (
    <tr>
      <td title={body}>{title}</td>
      <td>
        <Age atMs={atMs} />
      </td>
      <td>
        <span className={styles['result']}>
          <Glyph tone={tone} />
          {words}
        </span>
      </td>
    </tr>
  );
}

function resultOf(
  { state, tries }: Delivery,
  nowMs: number,
): { readonly tone: Tone; readonly words: string } {
  switch (state.kind) {
    case 'delivered':
      return { tone: 'ok', words: 'delivered' };
    case 'given-up':
      return { tone: 'danger', words: `given up: ${state.because}` };
    case 'waiting': {
      if (state.because === null) return { tone: 'wait', words: 'being sent' };
      const leftMs = state.nextTryMs - nowMs;
      const next = leftMs > 0 ? `next in ${formatDuration(leftMs)}` : 'trying now';
      return {
        tone: 'warn',
        words: `${state.because}; ${formatCount(tries, 'try', 'tries')}, ${next}`,
      };
    }
  }
}
