import type { ReactNode } from 'react';
import { formatPrice } from '../../../shared/profiles/price.ts';
import type { Profile } from '../../../shared/profiles/profile.ts';
import { FactStamp } from '../../facts/fact-stamp.tsx';
import { NOT_SAID, yesNoWords } from '../../facts/fact-words.ts';
import { FactSection } from './fact-section.tsx';
import styles from './facts-tab.module.css';

/** Ports, ways in, and what saves time. */
export function WorthKnowingSection({ profile }: { readonly profile: Profile }) {
  const { ssh, ports, egress, inodeCap, spot, sources, conveniences, doubts, prices } = profile;
  const fact = (word: ReactNode, said: ReactNode, stamp: Parameters<typeof FactStamp>[0]) => (
    <>
      <dt>{word}</dt>
      <dd>
        {said} <FactStamp {...stamp} />
      </dd>
    </>
  );
  return (
    <FactSection title="Ports, ways in and what is worth knowing">
      <dl>
        {fact(
          'SSH',
          joined([ssh.port && `port: ${ssh.port}`, ...ssh.flavours.map(wayWords), ssh.note]),
          {
            ...ssh,
            sources,
          },
        )}
        {fact(
          'Ports',
          joined([
            ports.tensorboard.port !== null && `TensorBoard: ${ports.tensorboard.port}`,
            ports.tensorboard.how,
            ...ports.urlPatterns,
            ...ports.timeouts,
            ports.note,
          ]),
          { ...ports, sources },
        )}
        {fact(
          'Traffic out',
          joined([
            `free: ${yesNoWords(egress.isFree)}`,
            egress.price && formatPrice(egress.price),
            egress.note,
          ]),
          { ...egress, sources },
        )}
        {fact(
          'Spot',
          joined([
            `offered: ${yesNoWords(spot.isAvailable)}`,
            spot.grace && `notice before the end: ${spot.grace}`,
            spot.note,
          ]),
          { ...spot, sources },
        )}
        {fact(
          <abbr title="Each file and folder takes one; some disks run out of them long before they are full">
            Inodes
          </abbr>,
          joined([inodeCap.count !== null && `at most ${String(inodeCap.count)}`, inodeCap.note]),
          { ...inodeCap, sources },
        )}
      </dl>
      <TextList title="Worth knowing" texts={conveniences} />
      <Fold title="Prices, as examples and never your bill" count={prices.length}>
        {prices.map(({ what, price, note, verified, source }) => (
          <li key={what}>
            {what}: {formatPrice(price)}
            {note !== null && ` · ${note}`} <FactStamp {...{ verified, source, sources }} />
          </li>
        ))}
      </Fold>
      <Fold title="Where the sources contradict each other" count={doubts.length}>
        {doubts.map((doubt) => (
          <li key={doubt}>{doubt}</li>
        ))}
      </Fold>
    </FactSection>
  );
}

function joined(said: readonly (string | false | null)[]): string {
  return said.filter(Boolean).join(' · ') || NOT_SAID;
}

function wayWords({ name, endpoint, note }: Profile['ssh']['flavours'][number]): string {
  return [name, endpoint, note].filter((each) => each !== null).join(': ');
}

function TextList({ title, texts }: { readonly title: string; readonly texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul className={styles['texts']}>
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </>
  );
}

function Fold({
  title,
  count,
  children,
}: {
  readonly title: string;
  readonly count: number;
  readonly children: ReactNode;
}) {
  if (count === 0) return null;
  return (
    <details className={styles['fold']}>
      <summary>
        {title} ({count})
      </summary>
      <ul className={styles['texts']}>{children}</ul>
    </details>
  );
}
