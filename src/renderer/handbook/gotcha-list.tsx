import { useEffect, useRef } from 'react';
import { plainLine } from '../../shared/questions/hostile-text.ts';
import { SEVERITY_TONES, SEVERITY_WORDS } from '../fleet/finding-words.ts';
import { handbookChosen } from '../state/view.ts';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { formatNumber } from '../ui/format.ts';
import { Glyph } from '../ui/glyph.tsx';
import { EmptyState } from '../ui/panel-state.tsx';
import { useRovingFocus } from '../ui/roving-focus.ts';
import styles from './gotcha-list.module.css';
import { allCleared } from './handbook-view.ts';
import type { ResultRow, Results } from './results.ts';

const MAX_LINE_CHARS = 160;

interface GotchaListProps {
  readonly results: Results;
  /** The id of the entry that is read. */
  readonly current: string | null;
  readonly total: number;
  readonly ownIds: ReadonlySet<string>;
}

/** Arrows move along it, Enter opens. */
export function GotchaList({
  results: { groups, count, isCut },
  current,
  total,
  ownIds,
}: GotchaListProps) {
  const ids = groups.flatMap(({ rows }) => rows.map(({ gotcha }) => gotcha.id));
  const isCurrentThere = current !== null && ids.includes(current);
  const { stop, listProps } = useRovingFocus(isCurrentThere ? current : (ids[0] ?? null));
  const tabStop = stop !== null && ids.includes(stop) ? stop : (ids[0] ?? null);
  const list = useRef<HTMLDivElement>(null);
  // An entry that was opened by a link or from the palette is brought into view.
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  return (
    <>
      <p className={classNames(styles['count'], 'figures')} role="status">
        {count === total
          ? `All ${formatNumber(total)} entries`
          : `${formatNumber(count)} of ${formatNumber(total)} entries`}
        {isCut && '; of the long text its beginning and its end were read'}
      </p>
      {count === 0 ? (
        <EmptyState title="Nothing fits" actions={<Button onClick={allCleared}>Show all</Button>}>
          <p>No entry has these words, and no error text that it knows.</p>
        </EmptyState>
      ) : (
        <div ref={list} className={styles['list']} {...listProps}>
          {groups.map(({ title, rows }) => (
            <section key={title} aria-label={title}>
              <h2 className={styles['group']}>{title}</h2>
              <ul>
                {rows.map((row) => (
                  <li key={row.gotcha.id}>
                    <ListRow
                      row={row}
                      isOwn={ownIds.has(row.gotcha.id)}
                      isCurrent={row.gotcha.id === current}
                      isTabStop={row.gotcha.id === tabStop}
                    />
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </div>
      )}
    </>
  );
}

interface ListRowProps {
  readonly row: ResultRow;
  readonly isOwn: boolean;
  readonly isCurrent: boolean;
  readonly isTabStop: boolean;
}

function ListRow({ row: { gotcha, reason }, isOwn, isCurrent, isTabStop }: ListRowProps) {
  const { id, title, severity } = gotcha;
  return (
    <button
      type="button"
      className={styles['row']}
      aria-current={isCurrent ? 'true' : undefined}
      data-roving={id}
      tabIndex={isTabStop ? 0 : -1}
      onClick={() => handbookChosen(id)}
    >
      <Glyph tone={SEVERITY_TONES[severity]} />
      <span className={styles['title']}>
        <span className="sr-only">{SEVERITY_WORDS[severity]}: </span>
        {title}
        {isOwn && <span className={styles['own']}>Yours</span>}
      </span>
      <span className={styles['id']}>{id}</span>
      {reason?.kind === 'sign' && (
        <span className={styles['line']}>{plainLine(reason.line, MAX_LINE_CHARS)}</span>
      )}
    </button>
  );
}
