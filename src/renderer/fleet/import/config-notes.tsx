import type { ConfigNote } from '../../../shared/boxes/ssh-config/config-file.ts';
import styles from './import.module.css';

/** A config may be wrong in thousands of places; a person looks at the first. */
const MAX_SHOWN = 100;

/** What concerns the files as such: words that OpenSSH does not know, files that could not be read. */
export function ConfigNotes({
  notes,
  what,
}: {
  readonly notes: readonly ConfigNote[];
  readonly what: string;
}) {
  if (notes.length === 0) return null;
  return (
    <details className={styles['notes']}>
      <summary>
        {notes.length === 1
          ? `1 line of the config is ${what}`
          : `${notes.length.toLocaleString('en')} lines of the config are ${what}`}
      </summary>
      <ul>
        {notes.slice(0, MAX_SHOWN).map(({ place, text, because }, i) => (
          <li key={i}>
            <span>
              {place.file}:{place.line}
            </span>{' '}
            <code>{text}</code> {because}
          </li>
        ))}
      </ul>
    </details>
  );
}
