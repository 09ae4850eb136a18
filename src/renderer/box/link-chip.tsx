import type { LinkState } from '../../shared/boxes/box.ts';
import { Elapsed } from '../ui/age.tsx';
import { classNames } from '../ui/class-names.ts';
import { useClock } from '../ui/clock.ts';
import { Glyph } from '../ui/glyph.tsx';
import styles from './box-header.module.css';
import { linkStateWord, linkTone, linkWords, nextTryWords } from './link-words.ts';

/** The link's state in a word and a shape, with its latency, its age, or when the next try comes. */
export function LinkChip({ link }: { readonly link: LinkState }) {
  const tone = linkTone(link);
  const isAlarming = tone === 'warn' || tone === 'danger';
  return (
    <span
      className={classNames(
        styles['chip'],
        styles['yields'],
        styles['link'],
        'figures',
        isAlarming && styles[tone],
      )}
      title={linkWords(link)}
    >
      <Glyph tone={tone} />
      <span className={styles['cut']}>
        {link.kind === 'waiting' ? (
          <>
            {linkStateWord(link)} <NextTry link={link} />
          </>
        ) : (
          linkWords(link)
        )}
        {link.kind === 'up' && (
          <span className={styles['optional']}>
            {' · '}
            <Elapsed sinceMs={link.sinceMs} />
          </span>
        )}
      </span>
    </span>
  );
}

function NextTry({ link }: { readonly link: Extract<LinkState, { kind: 'waiting' }> }) {
  return useClock((nowMs) => nextTryWords(link, nowMs));
}
