import { memo, useMemo } from 'react';
import {
  countRows,
  rowOf,
  type LogLines,
  type LogRow,
} from '../../../../shared/runs/launch/log-lines.ts';
import { markFound, readSpans } from '../../../../shared/runs/launch/log-text.ts';
import { classNames } from '../../../ui/class-names.ts';
import { formatBytes } from '../../../ui/format.ts';
import { LOG_ROW_PX } from './log-scroll.ts';
import styles from './log-viewer.module.css';

interface RowsProps {
  readonly lines: LogLines;
  readonly from: number;
  readonly to: number;
  /** A row that comes takes the place of one that goes then: writing a text is cheaper than making an element. */
  readonly isFollowing: boolean;
  readonly query: string;
  readonly pointed: number | null;
}

/** What is in view of a log. */
export function LogRows({ lines, from, to, isFollowing, query, pointed }: RowsProps) {
  const numbers = Array.from(
    { length: Math.max(0, to - from) },
    (_, at) => lines.first + from + at,
  );
  return (
    <div className={styles['rows']} style={{ height: countRows(lines) * LOG_ROW_PX }}>
      <div className={styles['shown']} style={{ top: from * LOG_ROW_PX }}>
        {numbers.map((number, at) => {
          const row = rowOf(lines, number);
          return (
            row !== null && (
              <Row
                key={isFollowing ? at : number}
                row={row}
                query={query}
                isPointed={number === pointed}
              />
            )
          );
        })}
      </div>
    </div>
  );
}

interface RowProps {
  readonly row: LogRow;
  readonly query: string;
  readonly isPointed: boolean;
}

/** A stranger's text: only ever text, whatever it asks for. */
const Row = memo(function Row({ row: { text, leftOut }, query, isPointed }: RowProps) {
  const spans = useMemo(() => markFound(readSpans(text), query), [text, query]);
  return (
    <div className={classNames(styles['row'], isPointed && styles['pointed'])}>
      {spans.map(({ text: said, tone, isBold, isFaint, isFound }, at) => {
        const names = classNames(
          tone !== null && styles[tone],
          isBold && styles['bold'],
          isFaint && styles['faint'],
        );
        if (isFound) {
          return (
            <mark key={at} className={names}>
              {said}
            </mark>
          );
        }
        return names === '' ? (
          said
        ) : (
          <span key={at} className={names}>
            {said}
          </span>
        );
      })}
      {leftOut > 0 && (
        <span className={styles['faint']}> … {formatBytes(leftOut)} more on this line</span>
      )}
    </div>
  );
});
