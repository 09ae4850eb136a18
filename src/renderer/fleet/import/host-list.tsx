import { memo, useCallback } from 'react';
import { useRovingFocus } from '../../ui/roving-focus.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Glyph } from '../../ui/glyph.tsx';
import type { HostRow } from './import-model.ts';
import styles from './import.module.css';

/** As many as can be added at once. Nobody looks through more, and thousands of rows cost a second to lay out. */
const MAX_SHOWN = 200;

interface HostListProps {
  readonly rows: readonly HostRow[];
  readonly chosen: ReadonlySet<string>;
  readonly onChosen: (next: (old: ReadonlySet<string>) => ReadonlySet<string>) => void;
}

/** Real checkboxes under one Tab stop: arrows move, Space chooses. */
export function HostList({ rows: found, chosen, onChosen }: HostListProps) {
  const rows = found.slice(0, MAX_SHOWN);
  const free = rows.filter(({ state }) => state === 'new');
  const { stop, listProps } = useRovingFocus(free[0]?.host.name ?? null);
  const areAllChosen = free.length > 0 && free.every(({ host }) => chosen.has(host.name));
  const choose = useCallback(
    (names: readonly string[], isChosen: boolean) =>
      onChosen((old) => {
        const next = new Set(old);
        for (const name of names) {
          if (isChosen) next.add(name);
          else next.delete(name);
        }
        return next;
      }),
    [onChosen],
  );
  return (
    <div>
      <div className={styles['listHead']}>
        <span role="status">
          {shownWords(rows.length, found.length)}, {chosen.size.toLocaleString('en')} chosen
        </span>
        <Button
          look="quiet"
          size="small"
          disabled={free.length === 0}
          onClick={() =>
            choose(
              free.map(({ host }) => host.name),
              !areAllChosen,
            )
          }
        >
          {areAllChosen ? 'Choose none of these' : 'Choose all of these'}
        </Button>
      </div>
      <ul className={styles['hosts']} aria-label="Hosts" {...listProps}>
        {rows.map((row) => (
          <Row
            key={row.host.name}
            row={row}
            isChosen={chosen.has(row.host.name)}
            isStop={stop === row.host.name}
            onChoose={choose}
          />
        ))}
        {rows.length === 0 && <li className={styles['nothing']}>No host matches.</li>}
      </ul>
    </div>
  );
}

function shownWords(shown: number, found: number): string {
  const all = found.toLocaleString('en');
  return shown === found ? `${all} shown` : `First ${shown} of ${all} shown; search for the others`;
}

interface RowProps {
  readonly row: HostRow;
  readonly isChosen: boolean;
  readonly isStop: boolean;
  readonly onChoose: (names: readonly string[], isChosen: boolean) => void;
}

/** Of thousands, only those that changed are drawn anew. */
const Row = memo(function Row({ row, isChosen, isStop, onChoose }: RowProps) {
  const { host, address, route, state } = row;
  const name = (
    <span className={styles['name']} title={host.name}>
      {host.name}
    </span>
  );
  return (
    <li className={styles['host']}>
      {state === 'new' ? (
        <label className={styles['choice']}>
          <input
            type="checkbox"
            checked={isChosen}
            data-roving={host.name}
            tabIndex={isStop ? 0 : -1}
            onChange={(event) => onChoose([host.name], event.target.checked)}
          />
          {name} <HostFacts>{`${address} ${route}`.trimEnd()}</HostFacts>
        </label>
      ) : (
        <div className={classNames(styles['choice'], styles['fixed'])}>
          <Glyph tone={state === 'added' ? 'ok' : 'warn'} />
          {name}{' '}
          <HostFacts>{state === 'added' ? `Added · ${address}` : (host.because ?? '')}</HostFacts>
        </div>
      )}
      {host.notes.length > 0 && (
        <details className={styles['notes']}>
          <summary>
            {host.notes.length === 1
              ? '1 line is not used'
              : `${host.notes.length} lines are not used`}
          </summary>
          <ul>
            {host.notes.map(({ place, text, because }, i) => (
              <li key={i} title={place.file}>
                <span>line {place.line}</span> <code>{text}</code> {because}
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
});

/** Long ones are cut; the whole stands in the tooltip. */
function HostFacts({ children }: { readonly children: string }) {
  return (
    <span className={styles['facts']} title={children}>
      {children}
    </span>
  );
}
