import type { PlannedFile } from '../../../shared/plan/planned-file.ts';
import styles from './planned-files.module.css';

/** Longer ones are folded. */
const SHORT_TEXT_CHARS = 200;

/** What a plan puts on the box: each file with exactly what will be in it. */
export function PlannedFiles({ files }: { readonly files: readonly PlannedFile[] }) {
  return (
    <dl className={styles['files']}>
      {files.map((file) => (
        <FileLine key={file.name} file={file} />
      ))}
    </dl>
  );
}

function FileLine({ file: { name, what, text } }: { readonly file: PlannedFile }) {
  return (
    <div>
      <dt className="mono">{name}</dt>
      <dd>
        {what}
        {text !== null &&
          (text.length <= SHORT_TEXT_CHARS ? (
            <pre className="selectable" role="group" tabIndex={0} aria-label={name}>
              {text}
            </pre>
          ) : (
            <details>
              <summary>Show the script</summary>
              <pre className="selectable" role="group" tabIndex={0} aria-label={name}>
                {text}
              </pre>
            </details>
          ))}
      </dd>
    </div>
  );
}
