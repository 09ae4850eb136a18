import {
  BookOpen,
  CalendarClock,
  Coins,
  LayoutGrid,
  Plus,
  Settings as SettingsIcon,
} from 'lucide-react';
import { Suspense, useEffect, useLayoutEffect, useMemo, useRef, type ReactNode } from 'react';
import { BrandMark } from '../app/brand-mark.tsx';
import { resolvePage } from '../app/resolve-page.ts';
import { selectAllEntries, selectEntries, useFleet } from '../state/feeds.ts';
import {
  costsChosen,
  fleetChosen,
  handbookChosen,
  overlayOpened,
  settingsChosen,
  timelineChosen,
  useView,
} from '../state/view.ts';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { useEdgeKeys } from '../ui/edge-keys.ts';
import { lazyPart } from '../ui/lazy-part.tsx';
import { useRovingFocus } from '../ui/roving-focus.ts';
import { useRowWindow } from '../ui/row-window.ts';
import { RailRow } from './rail-row.tsx';
import styles from './rail.module.css';

const BackButton = lazyPart(async () => (await import('./back-button.tsx')).BackButton);
const RailCost = lazyPart(async () => (await import('./rail-cost.tsx')).RailCost);

interface Place {
  /** Item ids of the list are box ids; this cannot be one. */
  readonly id: 'fleet' | 'timeline' | 'costs' | 'handbook';
  readonly label: string;
  readonly icon: ReactNode;
  readonly show: () => void;
}

const ICON_PX = 13;
const FLEET = 'fleet';

/** The pages that stand above the boxes. */
const PLACES: readonly Place[] = [
  { id: FLEET, label: 'Fleet', icon: <LayoutGrid size={ICON_PX} aria-hidden />, show: fleetChosen },
  {
    id: 'timeline',
    label: 'Timeline',
    icon: <CalendarClock size={ICON_PX} aria-hidden />,
    show: timelineChosen,
  },
  {
    id: 'costs',
    label: 'Costs',
    icon: <Coins size={ICON_PX} aria-hidden />,
    show: () => costsChosen(null),
  },
  {
    id: 'handbook',
    label: 'Handbook',
    icon: <BookOpen size={ICON_PX} aria-hidden />,
    show: () => handbookChosen(),
  },
];

/** Which of these, or which box; null: another page. */
function itemOf(page: ReturnType<typeof resolvePage>): string | null {
  if (page.kind === 'box') return page.boxId;
  return PLACES.find(({ id }) => id === page.kind)?.id ?? null;
}

/** As rail.module.css has them: a box, and what stands above the first one. */
const ROW_PX = 50;
const HEAD_PX = 180;
const PALETTE_KEYS = navigator.platform.startsWith('Mac') ? '⌘K' : 'Ctrl K';

export function Rail() {
  return (
    <nav className={styles['rail']} aria-label="Boxes">
      <div className={styles['brand']}>
        <BrandMark />
        Leasehold
        <Suspense fallback={null}>
          <BackButton />
        </Suspense>
      </div>
      <Suspense fallback={<NoCostYet />}>
        <RailCost />
      </Suspense>
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

/** In its place, as high as it mostly is. */
function NoCostYet() {
  return (
    <section className={styles['burn']} aria-label="Cost" aria-busy="true">
      <h2>Spend</h2>
      <p />
      <strong>…</strong>
      <span />
      <p>&nbsp;</p>
    </section>
  );
}

function BoxList() {
  const isLoading = useFleet((feed) => feed.kind === 'loading');
  const entries = useFleet(selectEntries);
  const page = resolvePage(
    useView((view) => view.page),
    useFleet(selectAllEntries),
  );
  const current = itemOf(page);
  const list = useRef<HTMLUListElement>(null);
  const count = entries.length;
  const heights = useMemo(() => Array.from({ length: count }, () => ROW_PX), [count]);
  const view = useRowWindow(list, heights, { headPx: HEAD_PX, isHeadSticky: false });
  const { stop, listProps } = useRovingFocus(current ?? FLEET);
  const inView = entries.slice(view.first, view.end);
  // The one that Tab leads to must be there.
  const isStopThere =
    PLACES.some(({ id }) => id === stop) || inView.some(({ box }) => box.id === stop);
  const tabStop = isStopThere ? stop : FLEET;
  const goToEnd = useEdgeKeys(list, {
    End: { id: entries.at(-1)?.box.id, scrollTo: () => view.reveal(count - 1) },
  });
  useRevealed(
    entries.findIndex(({ box }) => box.id === current),
    view.reveal,
  );
  return (
    <ul
      ref={list}
      className={styles['list']}
      aria-busy={isLoading}
      {...listProps}
      onKeyDown={(event) => {
        if (!goToEnd(event)) listProps.onKeyDown(event);
      }}
    >
      {PLACES.map(({ id, label, icon, show }) => (
        <NavItem
          key={id}
          id={id}
          isCurrent={current === id}
          isTabStop={tabStop === id}
          onClick={show}
        >
          {icon}
          <span>{label}</span>
        </NavItem>
      ))}
      <li className={styles['section']} aria-hidden="true">
        <span>Boxes</span>
        {!isLoading && <span>{entries.length}</span>}
      </li>
      {isLoading && <li className={styles['skeleton']} />}
      <Space heightPx={view.beforePx} />
      {inView.map((entry, i) => (
        <RailRow
          key={entry.box.id}
          entry={entry}
          place={view.first + i + 1}
          count={count}
          isCurrent={current === entry.box.id}
          isTabStop={tabStop === entry.box.id}
        />
      ))}
      <Space heightPx={view.afterPx} />
    </ul>
  );
}

interface NavItemProps {
  readonly id: string;
  readonly isCurrent: boolean;
  readonly isTabStop: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

/** A page above the boxes. */
function NavItem({ id, isCurrent, isTabStop, onClick, children }: NavItemProps) {
  return (
    <li>
      <button
        type="button"
        className={classNames(styles['row'], styles['single'])}
        aria-current={isCurrent ? 'page' : undefined}
        data-roving={id}
        tabIndex={isTabStop ? 0 : -1}
        onClick={onClick}
      >
        {children}
      </button>
    </li>
  );
}

/** Where boxes are that nobody sees. */
function Space({ heightPx }: { readonly heightPx: number }) {
  return heightPx === 0 ? null : <li aria-hidden="true" style={{ height: heightPx }} />;
}

/** A box that is chosen elsewhere (palette, fleet, tray) is brought into view. */
function useRevealed(row: number, reveal: (row: number) => void): void {
  const latest = useRef(reveal);
  useLayoutEffect(() => {
    latest.current = reveal;
  });
  useEffect(() => {
    if (row !== -1) latest.current(row);
  }, [row]);
}
