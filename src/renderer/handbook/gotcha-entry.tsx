import { useEffect, useRef, type ReactNode } from 'react';
import { capabilityWords, coverageOf, stateOf } from '../../shared/gotchas/coverage.ts';
import { belongsWhere } from '../../shared/gotchas/belongs.ts';
import { MAX_INCIDENT_CHARS, OWN_SOURCE } from '../../shared/gotchas/entry-draft.ts';
import type { Gotcha, GotchaProbe, Gotchas } from '../../shared/gotchas/gotcha.ts';
import { plainText } from '../../shared/questions/hostile-text.ts';
import { SEVERITY_TONES, SEVERITY_WORDS } from '../fleet/finding-words.ts';
import { classNames } from '../ui/class-names.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Glyph } from '../ui/glyph.tsx';
import { EmptyState } from '../ui/panel-state.tsx';
import { EntryAlerts } from './entry-alerts.tsx';
import styles from './gotcha-entry.module.css';
import { OwnEntryBar } from './own-entry-bar.tsx';
import { probeWords, ROLE_HINTS, ROLE_WORDS, SCOPE_WORDS } from './gotcha-words.ts';

interface GotchaEntryProps {
  readonly id: string | null;
  readonly byId: ReadonlyMap<string, Gotcha>;
  readonly gotchas: Gotchas;
}

/** The reading side of the handbook, and all that is printed of it. */
export function GotchaEntry({ id, byId, gotchas }: GotchaEntryProps) {
  const pane = useRef<HTMLElement>(null);
  useEffect(() => {
    pane.current?.scrollTo({ top: 0 });
  }, [id]);
  if (id === null) {
    return (
      <EmptyState title="Choose an entry">
        <p>
          Search by an id, by what you see, or paste the end of a log: the entries that fit it come
          first.
        </p>
      </EmptyState>
    );
  }
  const gotcha = byId.get(id);
  if (gotcha === undefined) {
    return (
      <EmptyState title={`There is no entry ${id}`}>
        <p>Choose one from the list.</p>
      </EmptyState>
    );
  }
  const loaded = gotchas.all.find((each) => each.gotcha.id === id);
  return (
    <article ref={pane} className={styles['entry']} aria-labelledby="gotcha-title" tabIndex={0}>
      <div className={styles['text']}>
        <Head gotcha={gotcha} />
        <EntryAlerts id={id} />
        {loaded !== undefined && loaded.origin !== 'shipped' && <OwnEntryBar loaded={loaded} />}
        <Part title="What you see">
          <p>{gotcha.symptom}</p>
        </Part>
        <Part title="Why">
          <p>{gotcha.cause}</p>
        </Part>
        <Part title="What to do">
          <ol className={styles['steps']}>
            {gotcha.fix.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </Part>
        {gotcha.probes.length > 0 && (
          <Part title="How to tell">
            <ul className={styles['probes']}>
              {gotcha.probes.map((each) => (
                <ProbeItem key={`${each.probe} ${each.means}`} asked={each} />
              ))}
            </ul>
          </Part>
        )}
        <Part title="What Leasehold does">
          <Doings gotcha={gotcha} byId={byId} />
        </Part>
        {gotcha.doubt !== null && (
          <Part title="Doubt">
            <p>{gotcha.doubt}</p>
          </Part>
        )}
        {gotcha.incident !== null && (
          <Part title="What was seen">
            <pre className={classNames(styles['seen'], 'selectable')} tabIndex={0}>
              {plainText(gotcha.incident, MAX_INCIDENT_CHARS)}
            </pre>
          </Part>
        )}
        {gotcha.answers !== null && (
          <Part title="How sure it is">
            <p>{belongsWhere(gotcha.answers).because}</p>
          </Part>
        )}
        <Related gotcha={gotcha} byId={byId} />
        <p className={styles['source']}>{sourceWords(gotcha)}</p>
      </div>
    </article>
  );
}

function sourceWords({ verified, source }: Gotcha): string {
  if (verified !== null) return `Verified ${verified}; ${source}.`;
  if (source === OWN_SOURCE) return 'From your own experience.';
  return source === 'general'
    ? 'Applies to any machine · undated'
    : `Source: ${source}, without a month.`;
}

function Head({ gotcha: { id, title, severity, role, scope } }: { readonly gotcha: Gotcha }) {
  const tone = SEVERITY_TONES[severity];
  return (
    <header className={styles['head']}>
      <p className={styles['marks']}>
        <span className={classNames(styles['severity'], styles[tone])}>
          <Glyph tone={tone} /> {SEVERITY_WORDS[severity]}
        </span>
        <span className={styles['id']}>{id}</span>
        <span>{SCOPE_WORDS[scope]}</span>
        <span title={ROLE_HINTS[role]}>{ROLE_WORDS[role]}</span>
      </p>
      <h2 id="gotcha-title" className={styles['title']}>
        {title}
      </h2>
    </header>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={styles['part']}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

function ProbeItem({ asked: { probe, means } }: { readonly asked: GotchaProbe }) {
  const words = probeWords(probe);
  return (
    <li>
      {words === null ? (
        <div className={styles['command']}>
          <code className="mono">{probe}</code>
          <CopyButton text={probe} label="Copy" />
        </div>
      ) : (
        <p className={styles['place']}>{words}</p>
      )}
      <p>{means}</p>
    </li>
  );
}

function Doings({
  gotcha,
  byId,
}: Omit<GotchaEntryProps, 'id' | 'gotchas'> & { readonly gotcha: Gotcha }) {
  const coverage = coverageOf(gotcha, byId);
  const { done, shown, planned, beyond } = coverage;
  if (stateOf(coverage) === 'open') return <p>Nothing: this entry is your own.</p>;
  return (
    <ul className={styles['doings']}>
      {done.map(({ does }) => (
        <li key={does}>
          <Glyph tone="ok" /> <span>{does}.</span>
        </li>
      ))}
      {shown.length > 0 && (
        <li>
          <Glyph tone="info" />{' '}
          <span>
            Tells you here{shown.includes('Facts') && ', and on the Facts tab of each such box'}.
          </span>
        </li>
      )}
      {planned.length > 0 && (
        <li>
          <Glyph tone="unknown" />{' '}
          <span>
            {done.length + shown.length > 0 ? 'More of it comes' : 'Nothing yet: it comes'} with{' '}
            {capabilityWords(planned)}.
          </span>
        </li>
      )}
      {beyond !== undefined && (
        <li>
          <Glyph tone="unknown" /> <span>{beyond}</span>
        </li>
      )}
    </ul>
  );
}

function Related({
  gotcha,
  byId,
}: {
  readonly gotcha: Gotcha;
  readonly byId: ReadonlyMap<string, Gotcha>;
}) {
  const others = gotcha.related.flatMap((id) => byId.get(id) ?? []);
  if (others.length === 0) return null;
  return (
    <Part title="See also">
      <ul className={styles['related']}>
        {others.map(({ id, title }) => (
          <li key={id}>
            <a href={`#${id}`}>
              <span className={styles['id']}>{id}</span> {title}
            </a>
          </li>
        ))}
      </ul>
    </Part>
  );
}
