import type { CSSProperties } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { formatClockTime } from '../../ui/format.ts';
import styles from './moment-note.module.css';
import { momentAt, type Moment, type OverviewModel } from './overview-model.ts';

interface MomentNoteProps {
  readonly model: OverviewModel;
  /** Where on the axis. */
  readonly at: number;
}

/** What happened at the cursor, beside it. The list under the charts tells the same to those who do not point. */
export function MomentNote({ model, at }: MomentNoteProps) {
  const { fromMs, toMs } = model.axis;
  const moment = momentAt(model, fromMs + at * (toMs - fromMs));
  const lines = momentLines(moment, model.series.length > 1);
  if (lines.length === 0) return null;
  return (
    <div
      className={classNames(styles['note'], at > 0.5 && styles['isLeft'])}
      style={{ '--at': at } as CSSProperties}
    >
      {lines.map(({ key, head, text, tone }) => (
        <p key={key}>
          <strong className={styles[tone]}>{head}</strong>
          {text !== '' && ` ${text}`}
        </p>
      ))}
    </div>
  );
}

interface NoteLine {
  readonly key: string;
  readonly head: string;
  readonly text: string;
  readonly tone: string;
}

function momentLines({ bands, gap, marks }: Moment, hasSeveralGpus: boolean): readonly NoteLine[] {
  return [
    ...marks.map(({ key, atMs, label, text, tone }) => ({
      key,
      head: `${formatClockTime(atMs)} ${label}.`,
      text,
      tone,
    })),
    ...bands.map(({ label, meaning, gpus, tone }) => ({
      key: `band ${label}`,
      head: hasSeveralGpus && gpus.length > 0 ? `GPU ${gpus.join(', ')}: ${label}.` : `${label}.`,
      text: meaning,
      tone,
    })),
    ...(gap === null
      ? []
      : [{ key: 'gap', head: 'No readings:', text: `${gap.words}.`, tone: 'quiet' }]),
  ];
}

/** The same in one line, for the slider that screen readers hear. */
export function describeMoment(moment: Moment, hasSeveralGpus: boolean): string {
  return momentLines(moment, hasSeveralGpus)
    .map(({ head, text }) => `${head} ${text}`.trim())
    .join(' ');
}
