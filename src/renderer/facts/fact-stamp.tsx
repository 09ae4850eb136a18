import { DEMO_SOURCE } from '../../shared/demo/demo-platform.ts';
import { judgeFreshness } from '../../shared/profiles/freshness.ts';
import { sourceLink, sourcesOf } from '../../shared/profiles/source-link.ts';
import { externalRequested } from '../state/actions.ts';
import { useClock } from '../ui/clock.ts';
import { formatCount } from '../ui/format.ts';
import { Glyph } from '../ui/glyph.tsx';
import styles from './fact-stamp.module.css';
import { useMaxAge } from './use-max-age.ts';

interface FactStampProps {
  /** YYYY-MM; null: true of any rented machine. */
  readonly verified: string | null;
  readonly source: string;
  /** Of the whole profile, for a fact whose own source the survey did not note. */
  readonly sources: readonly string[];
}

/** How old a fact is and where to look it up again. Stands beside every fact that can rot. */
export function FactStamp({ verified, source, sources }: FactStampProps) {
  const maxAge = useMaxAge();
  const kind = useClock((nowMs) => judgeFreshness(verified, nowMs, maxAge).kind);
  const months = useClock((nowMs) => {
    const freshness = judgeFreshness(verified, nowMs, maxAge);
    return 'months' in freshness ? freshness.months : null;
  });
  // Invented, which the page says once, and of no age.
  if (source === DEMO_SOURCE) return null;
  if (kind === 'general') {
    return (
      <span
        className={styles['stamp']}
        title="No platform’s price, timer or limit: there is nothing to look up again."
      >
        Applies to any machine
      </span>
    );
  }
  const isOld = kind !== 'fresh';
  return (
    <span className={styles['stamp']}>
      <span
        title={hintOf(verified ?? '', months, isOld)}
        className={isOld ? styles['old'] : undefined}
      >
        {isOld && <Glyph tone="warn" />} Checked {verified}
        {kind === 'stale' && months !== null && `, ${formatCount(months, 'month')} ago`}
        {kind === 'future' && ', a month to come'}
      </span>
      <SourceLinks sources={sourcesOf(source, sources)} isAgain={isOld} />
    </span>
  );
}

function hintOf(verified: string, months: number | null, isOld: boolean): string {
  const age = months === null ? '' : ` That was ${formatCount(months, 'month')} ago.`;
  const advice = isOld ? ' Look it up again before you rely on it.' : '';
  return `Somebody compared this with its source in ${verified}.${age}${advice}`;
}

interface SourceLinksProps {
  readonly sources: readonly string[];
  /** The fact is old, or about to be relied on: it should be looked up now. */
  readonly isAgain?: boolean;
}

/** One link, or a fold with several; a source that is no page is text. */
export function SourceLinks({ sources, isAgain = false }: SourceLinksProps) {
  const word = isAgain ? 'Check again' : 'Source';
  const [only] = sources;
  if (only === undefined) return null;
  if (sources.length === 1) return <SourceLink source={only} word={word} />;
  return (
    <details className={styles['sources']}>
      <summary>{word}s</summary>
      <ul>
        {sources.map((source) => (
          <li key={source}>
            <SourceLink source={source} word={source} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function SourceLink({ source, word }: { readonly source: string; readonly word: string }) {
  const url = sourceLink(source);
  if (url === null) return <span className={styles['source']}>{source}</span>;
  return (
    <button
      type="button"
      className={styles['link']}
      title={`Opens ${url} in your browser`}
      aria-label={word === source ? undefined : `${word}: ${source}`}
      onClick={() => externalRequested(url)}
    >
      {word}
    </button>
  );
}
