import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { formatBytes, formatCount, formatDuration } from './format.ts';
import { Glyph } from './glyph.tsx';
import { useTransferRate, type TransferRate } from './transfer-rate.ts';
import styles from './transfer-bar.module.css';

interface TransferBarProps {
  /** What comes or goes, for who cannot see the bar. */
  readonly label: string;
  /** What is being done now, in a sentence. */
  readonly stage: string;
  /** Bytes go over the line in this stage, so that a rate says something. */
  readonly isMoving: boolean;
  readonly progress: {
    readonly doneFiles: number;
    readonly files: number;
    readonly doneBytes: number;
    readonly bytes: number;
  };
  /** What else is to be known, a line each. */
  readonly notes?: ReactNode;
  /** Besides the one that stops it. */
  readonly actions?: ReactNode;
  /** What carries the bytes, and why, for who points at it. */
  readonly way?: { readonly words: string; readonly why: string } | null;
  readonly stop: string;
  readonly onStop: () => void;
}

/** How far files are on their way, how fast, and for how long still. */
export function TransferBar(props: TransferBarProps) {
  const { label, stage, isMoving, progress, notes, actions, way = null, stop, onStop } = props;
  const { doneFiles, files, bytes } = progress;
  const doneBytes = Math.min(progress.doneBytes, bytes);
  const rate = useTransferRate(progress.doneBytes);
  const figures = [
    `${String(doneFiles)} of ${formatCount(files, 'file')}`,
    `${formatBytes(doneBytes)} of ${formatBytes(bytes)}`,
    ...(isMoving ? rateWords(rate, bytes - doneBytes) : []),
  ];
  return (
    <div className={styles['bar']}>
      <p className={styles['head']}>
        <Glyph tone="wait" />
        <span>{stage}</span>
        {actions}
        <Button size="small" onClick={onStop}>
          {stop}
        </Button>
      </p>
      <progress aria-label={label} max={Math.max(1, bytes)} value={bytes === 0 ? 1 : doneBytes} />
      <p className={styles['figures']}>
        {figures.join(' · ')}
        {way !== null && (
          <>
            {' · '}
            <span title={way.why}>{way.words}</span>
          </>
        )}
      </p>
      {notes}
    </div>
  );
}

/** At what rate, and for how long still. */
export function rateWords(
  { bytesPerSecond, stillMs }: TransferRate,
  left: number,
): readonly string[] {
  if (left === 0) return [];
  if (stillMs !== null) return [`nothing for ${formatDuration(stillMs)}`];
  if (bytesPerSecond === null || bytesPerSecond === 0) return ['rate not known'];
  const leftMs = Math.max(1000, (left / bytesPerSecond) * 1000);
  return [`${formatBytes(bytesPerSecond)}/s`, `about ${formatDuration(leftMs)} left`];
}
