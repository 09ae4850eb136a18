import { LayoutGrid, Plus, Settings as SettingsIcon } from 'lucide-react';
import { BrandMark } from '../app/brand-mark.tsx';
import { resolvePage } from '../app/resolve-page.ts';
import { selectEntries, useFleet } from '../state/feeds.ts';
import { fleetChosen, overlayOpened, settingsChosen, useView } from '../state/view.ts';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { useRovingFocus } from '../ui/roving-focus.ts';
import { RailRow } from './rail-row.tsx';
import styles from './rail.module.css';

/** Item ids of the list are box ids; this one cannot be one. */
const FLEET = 'fleet';
const PALETTE_KEYS = navigator.platform.startsWith('Mac') ? '⌘K' : 'Ctrl K';

export function Rail() {
  return (
    <nav className={styles['rail']} aria-label="Boxes">
      <div className={styles['brand']}>
        <BrandMark />
        Leasehold
      </div>
      <BurnPanel />
      <BoxList />
      <div className={styles['foot']}>
        <Button onClick={() => overlayOpened({ kind: 'add-box' })}>
          <Plus size={15} aria-hidden /> Add box
        </Button>
        <Button
          look="quiet"
          title="Settings"
          aria-label="Settings"
          isIcon
          onClick={() => settingsChosen('settings')}
        >
          <SettingsIcon size={16} aria-hidden />
        </Button>
        <Button
          look="quiet"
          title="Command palette"
          aria-label={`Command palette, ${PALETTE_KEYS}`}
          onClick={() => overlayOpened({ kind: 'palette' })}
        >
          <kbd className={styles['keys']}>{PALETTE_KEYS}</kbd>
        </Button>
      </div>
    </nav>
  );
}

/** Nobody tells prices to this version, and a made-up $0 would read as "free". */
function BurnPanel() {
  return (
    <section className={styles['burn']} aria-label="Cost">
      <h2>Burning now</h2>
      <strong>Cost unknown</strong>
      <p>No price is connected yet.</p>
    </section>
  );
}

function BoxList() {
  const isLoading = useFleet((feed) => feed.kind === 'loading');
  const entries = useFleet(selectEntries);
  const page = resolvePage(
    useView((view) => view.page),
    entries,
  );
  const current = page.kind === 'box' ? page.boxId : page.kind === 'fleet' ? FLEET : null;
  const { stop, listProps } = useRovingFocus(current ?? FLEET);
  return (
    <>
      <ul className={styles['list']} aria-busy={isLoading} {...listProps}>
        <li>
          <button
            type="button"
            className={classNames(styles['row'], styles['single'])}
            aria-current={current === FLEET ? 'page' : undefined}
            data-roving={FLEET}
            tabIndex={stop === FLEET ? 0 : -1}
            onClick={fleetChosen}
          >
            <LayoutGrid size={13} aria-hidden />
            <span>Fleet</span>
          </button>
        </li>
        <li className={styles['section']} aria-hidden="true">
          <span>Boxes</span>
          {!isLoading && <span>{entries.length}</span>}
        </li>
        {isLoading && <li className={styles['skeleton']} />}
        {entries.map((entry) => (
          <RailRow
            key={entry.box.id}
            entry={entry}
            isCurrent={current === entry.box.id}
            isTabStop={stop === entry.box.id}
          />
        ))}
      </ul>
    </>
  );
}
