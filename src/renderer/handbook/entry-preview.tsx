import { belongsWhere } from '../../shared/gotchas/belongs.ts';
import type { EntryPreview } from '../../shared/gotchas/entry-draft.ts';
import { Button } from '../ui/button.tsx';
import { Glyph } from '../ui/glyph.tsx';
import styles from './entry-editor.module.css';
import { keepAsked, previewLeft, type Writing } from './writing.ts';

interface EntryPreviewPaneProps {
  readonly writing: Writing;
  readonly preview: EntryPreview;
}

/** The very text that would be written, and the one button that writes it. */
export function EntryPreviewPane({
  writing: { draft, editing, isBusy },
  preview: { id, file, yaml, redacted },
}: EntryPreviewPaneProps) {
  return (
    <div className={styles['form']}>
      <p>
        {editing === null ? 'It becomes ' : 'It replaces '}
        <strong>{id}</strong> in <code className="mono selectable">{file}</code>. The shipped
        catalog stays as it is.
      </p>
      {redacted.length > 0 && (
        <p className={styles['warning']} role="status">
          <Glyph tone="warn" />
          <span>
            Something that looks like a secret was taken out of: {redacted.join(', ')}. Read whether
            the rest still says what you mean.
          </span>
        </p>
      )}
      {draft.answers !== null && <p>{belongsWhere(draft.answers).because}</p>}
      <pre className={styles['yaml']} tabIndex={0} aria-label="What is written">
        {yaml}
      </pre>
      <div className={styles['actions']}>
        <Button look="primary" autoFocus disabled={isBusy} onClick={() => void keepAsked()}>
          {editing === null ? 'Keep entry' : 'Replace entry'}
        </Button>
        <Button onClick={previewLeft}>Go on writing</Button>
      </div>
    </div>
  );
}
