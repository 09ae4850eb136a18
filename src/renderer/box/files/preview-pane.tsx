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
import styles from './preview-pane.module.css';

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

/** SECURITY: the bytes are decoded as one of four kinds that main has looked at, and painted: no address leads to them. */
function Picture({ preview: { mime, content, width, height }, name }: PictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isBroken, setIsBroken] = useState(false);
  useEffect(() => {
    let isShown = true;
    const paint = (bitmap: ImageBitmap): void => {
      const place = isShown ? canvas.current : null;
      if (place !== null) {
        place.width = bitmap.width;
        place.height = bitmap.height;
        place.getContext('2d')?.drawImage(bitmap, 0, 0);
      }
      bitmap.close();
    };
    createImageBitmap(new Blob([Uint8Array.from(content)], { type: mime })).then(paint, () =>
      setIsBroken(true),
    );
    return () => {
      isShown = false;
    };
  }, [content, mime]);
  return (
    <>
      <p className={styles['previewNote']}>
        {formatNumber(width)} × {formatNumber(height)} pixels · {formatBytes(content.length)}
      </p>
      {isBroken ? (
        <p className={styles['previewNote']}>It is damaged: it cannot be shown as a picture.</p>
      ) : (
        <canvas ref={canvas} role="img" aria-label={name} />
      )}
    </>
  );
}
