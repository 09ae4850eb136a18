import { Image } from 'lucide-react';
import { useState, type RefObject } from 'react';
import { problem, type Problem } from '../../../../../shared/problem.ts';
import type { PictureOutcome } from '../../../../../shared/telemetry/history.ts';
import { call } from '../../../../state/bridge.ts';
import { Button } from '../../../../ui/button.tsx';
import { paintDrawing } from '../../../../ui/chart/paint-drawing.ts';
import { formatBytes } from '../../../../ui/format.ts';
import { Refusal } from '../../../../ui/problem-note.tsx';
import styles from './metrics.module.css';

interface SavePictureProps {
  readonly title: string;
  readonly figure: RefObject<HTMLElement | null>;
}

/** What became of a file that main was asked to write. */
export const savedWords = (saved: PictureOutcome): string =>
  saved.kind === 'cancelled' ? '' : `${formatBytes(saved.bytes)}, written to ${saved.file}`;

/** Saves a chart as it is shown; main asks where to. */
export function SavePicture({ title, figure }: SavePictureProps) {
  const [said, setSaid] = useState('');
  const [refusal, setRefusal] = useState<Problem | null>(null);
  async function save(): Promise<void> {
    const drawing = figure.current?.querySelector<SVGSVGElement>('svg.recharts-surface') ?? null;
    const legend = [...(figure.current?.querySelectorAll('ul li') ?? [])].map((item) => ({
      label: item.textContent,
      swatch: item.querySelector<SVGGraphicsElement>('path, circle, rect'),
    }));
    const png = drawing === null ? null : await paintDrawing(drawing, { title, legend });
    if (png === null) {
      setRefusal(problem('export-failed', 'The picture could not be painted.'));
      return;
    }
    const answer = await call('runs:save-picture', { title, png });
    setRefusal(answer.ok ? null : answer.error);
    if (!answer.ok) return;
    setSaid(savedWords(answer.value));
  }
  return (
    <>
      <Button
        size="small"
        look="quiet"
        isIcon
        aria-label={`Save ${title} as a picture`}
        title="Save as a picture (PNG)…"
        onClick={() => void save()}
      >
        <Image size={14} aria-hidden />
      </Button>
      <span className={styles['saved']} role="status">
        {said}
      </span>
      <Refusal problem={refusal} />
    </>
  );
}
