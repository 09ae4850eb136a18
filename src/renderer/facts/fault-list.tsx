import type { FileFault } from '../../shared/yaml/file-fault.ts';
import { formatCount } from '../ui/format.ts';
import { Glyph } from '../ui/glyph.tsx';
import styles from './facts.module.css';
import { PageSection } from './page-section.tsx';

/** Files that are not used. The list follows the files, so it empties while they are mended. */
export function FaultList({ faults }: { readonly faults: readonly FileFault[] }) {
  return (
    <PageSection
      title={`Not used: ${formatCount(faults.length, 'fault')} in your profiles`}
      note="A file with a fault changes nothing: the facts as they ship stand. Once it is saved again, it is read again."
    >
      <ul className={styles['faults']}>
        {faults.map(({ file, line, message, fix }) => (
          <li key={`${file}:${String(line)} ${message}`}>
            <Glyph tone="warn" />
            <div>
              <p className="mono selectable">
                {file}:{line}
              </p>
              <p>{message}</p>
              <p className={styles['muted']}>{fix}</p>
            </div>
          </li>
        ))}
      </ul>
    </PageSection>
  );
}
