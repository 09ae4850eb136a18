import { X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { nameOf } from '../../../shared/files/box-path.ts';
import type { FilePreview } from '../../../shared/files/preview.ts';
import type { Problem } from '../../../shared/problem.ts';
import type { Result } from '../../../shared/result.ts';
import { showHidden } from '../../../shared/terminal/visible-text.ts';
import { call } from '../../state/bridge.ts';
import { Button } from '../../ui/button.tsx';
import { CutName } from '../../ui/cut-name.tsx';
import { formatBytes, formatNumber } from '../../ui/format.ts';
import { LoadingState } from '../../ui/panel-state.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import styles from './files.module.css';

interface PreviewPaneProps {
  readonly boxId: string;
  readonly path: string;
  readonly onClose: () => void;
}

/** A text's beginning or a picture, beside the list. */
export function PreviewPane({ boxId, path, onClose }: PreviewPaneProps) {
  const [seen, setSeen] = useState<{
    readonly path: string;
    readonly answer: Result<FilePreview, Problem>;
  } | null>(null);
  useEffect(() => {
    let isShown = true;
    void call('files:preview', { boxId, path }).then((answer) => {
      if (isShown) setSeen({ path, answer });
    });
    return () => {
      isShown = false;
    };
  }, [boxId, path]);
  const answer = seen?.path === path ? seen.answer : null;
  const name = showHidden(nameOf(path));
  return (
    <aside className={styles['preview']} aria-label={`Preview of ${name}`}>
      <div className={styles['previewHead']}>
        <h3 className="mono" title={name}>
          <CutName name={name} />
        </h3>
        <Button look="quiet" size="small" isIcon aria-label="Close the preview" onClick={onClose}>
          <X size={15} aria-hidden />
        </Button>
      </div>
      {answer === null && <LoadingState title="Reading…" />}
      {answer !== null && !answer.ok && <ProblemNote problem={answer.error} />}
      {answer?.ok === true && <Shown key={path} preview={answer.value} name={name} />}
    </aside>
  );
}

function Shown({ preview, name }: { readonly preview: FilePreview; readonly name: string }) {
  switch (preview.kind) {
    case 'text':
      return <Text preview={preview} />;
    case 'image':
      return <Picture preview={preview} name={name} />;
    case 'none':
      return (
        <p className={styles['previewNote']}>
          There is no preview. {preview.because} Download it to look at it.
        </p>
      );
  }
}

function Text({ preview }: { readonly preview: Extract<FilePreview, { kind: 'text' }> }) {
  const { text, isUtf8, bytes, isCut } = preview;
  return (
    <>
      <p className={styles['previewNote']}>
        {isCut ? `The first 256 KiB of ${formatBytes(bytes)}` : formatBytes(bytes)}
        {!isUtf8 && ' · not UTF-8: what could not be read stands as �'}
      </p>
      {text === '' ? (
        <p className={styles['previewNote']}>It is empty.</p>
      ) : (
        <pre className="mono selectable" tabIndex={0} aria-label="Text of the file">
          {visibleLines(text)}
        </pre>
      )}
    </>
  );
}

/** Line by line: line ends and tabs are what they are, every other hidden character is shown by its code. */
function visibleLines(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => line.split('\t').map(showHidden).join('\t'))
    .join('\n');
}

interface PictureProps {
  readonly preview: Extract<FilePreview, { kind: 'image' }>;
  readonly name: string;
}

/** SECURITY: the bytes go into an <img> as one of four kinds that main has looked at, and can be no page and no script there. */
function Picture({ preview: { mime, content, width, height }, name }: PictureProps) {
  const image = useRef<HTMLImageElement>(null);
  const [isBroken, setIsBroken] = useState(false);
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([Uint8Array.from(content)], { type: mime }));
    if (image.current !== null) image.current.src = made;
    return () => URL.revokeObjectURL(made);
  }, [content, mime]);
  return (
    <>
      <p className={styles['previewNote']}>
        {formatNumber(width)} × {formatNumber(height)} pixels · {formatBytes(content.length)}
      </p>
      {isBroken ? (
        <p className={styles['previewNote']}>It is damaged: it cannot be shown as a picture.</p>
      ) : (
        <img ref={image} alt={name} onError={() => setIsBroken(true)} />
      )}
    </>
  );
}
