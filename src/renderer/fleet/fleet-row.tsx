import { ChevronRight } from 'lucide-react';
import { lazy, memo, Suspense, useState } from 'react';
import { readFigures } from '../../shared/boxes/fleet-figures.ts';
import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import { readSeenMs } from '../../shared/telemetry/current-figures.ts';
import type { LatestFigures } from '../../shared/telemetry/latest-figures.ts';
import { BoxMenuButton } from '../box/header-buttons.tsx';
import { ClockMark } from '../clocks/clock-mark.tsx';
import { useClockSummary } from '../clocks/use-clock-summary.ts';
import { selectIsAsking, useQuestions } from '../state/feeds.ts';
import { selectFiguresOf, useFigures } from '../state/figures.ts';
import { selectSpark, useSparks } from '../state/sparks.ts';
import { boxChosen } from '../state/view.ts';
import { SinceSeen } from '../ui/age.tsx';
import { classNames } from '../ui/class-names.ts';
import { useClockParts } from '../ui/clock.ts';
import { CutName } from '../ui/cut-name.tsx';
import { Dash } from '../ui/figure.tsx';
import { formatCount, formatGiB, formatNumber, formatQuantity } from '../ui/format.ts';
import { Glyph } from '../ui/glyph.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { describeStatus } from './box-status.ts';
import { CostCell } from './fleet-cost.tsx';
import { LateSums } from './late-sums.tsx';
import type { FleetGroup, FleetKnowledge } from './fleet-rows.ts';
import { groupFolded } from './fleet-view.ts';
import { describeBox, describeGpus } from './gpu-names.ts';
import { DEMO_PLATFORM } from '../../shared/demo/demo-platform.ts';
import { Sparkline } from './sparkline.tsx';
import styles from './fleet-table.module.css';
import { useAwake } from './use-awake.ts';
import { WorstFinding } from './worst-finding.tsx';

// The first picture knows no results yet, so their words come after it.
const BehindCell = lazyPart(async () => (await import('./behind-cell.tsx')).BehindCell);
const BoxMenu = lazy(async () => ({ default: (await import('../box/box-menu.tsx')).BoxMenu }));

const number = styles['number'];

/** What a row of either kind tells the grid: which one it is, and whether Tab leads to it. */
export interface RowPlace {
  readonly rowKey: string;
  /** From 1, over all rows of the table, also those that are not there at the moment. */
  readonly ariaRow: number;
  readonly isTabStop: boolean;
  /** Rows stand under headings. */
  readonly isGrouped: boolean;
}

/** Renders again only when its own box changed, or its words do with the time that passes. */
export const BoxRow = memo(function BoxRow({
  entry,
  rowKey,
  ariaRow,
  isTabStop,
  isGrouped,
}: RowPlace & { readonly entry: FleetEntry }) {
  const { box } = entry;
  const latest = useFigures(selectFiguresOf(box.id));
  const isAsking = useQuestions(selectIsAsking(box.id));
  const { tone, word, detail, smPct } = useClockParts((nowMs) =>
    describeStatus(entry, nowMs, isAsking),
  );
  const worst = useAwake(box.id).findings[0];
  const isAlarming = tone === 'warn' || tone === 'danger';
  const figures = readFigures(entry, latest);
  // The load that the rail shows too is some seconds old; it is there before the figures are.
  const nowPct = figures.smPct ?? smPct;
  const inRow = isTabStop ? 0 : -1;
  return (
    <tr
      className={styles['box-row']}
      data-row={rowKey}
      tabIndex={inRow}
      aria-rowindex={ariaRow}
      aria-level={isGrouped ? 2 : undefined}
      onClick={(event) => {
        if (!isOnControl(event.target)) boxChosen(box.id);
      }}
    >
      <td className={styles['state']}>
        <span className={styles['standing']}>
          <Glyph tone={tone} />
          <span
            className={classNames(isAlarming && styles[tone])}
            title={detail === null ? word : `${word}: ${detail}`}
          >
            {word}
            {detail !== null && <small>{detail}</small>}
          </span>
        </span>
      </td>
      <td className={styles['box']}>
        <button
          type="button"
          tabIndex={-1}
          title={describeWhole(entry)}
          onClick={() => boxChosen(box.id)}
        >
          <CutName name={box.name} />
        </button>
        <span className={styles['place']}>
          <small>{describeBox(entry)}</small>
          <Tags tags={box.tags} />
        </span>
      </td>
      <td className={styles['left']}>
        <ClockCell boxId={box.id} />
      </td>
      <td className={classNames(number, styles['sm'])}>
        <Cell text={nowPct === null ? null : formatQuantity(nowPct, '%')} />
      </td>
      <td className={styles['hour']}>
        <SparkCell boxId={box.id} nowPct={nowPct} severity={worst?.severity} />
      </td>
      <td className={classNames(number, styles['clock'])}>
        <Cell text={numberOrNull(figures.smClockMHz)} />
      </td>
      <td className={classNames(number, styles['power'])}>
        <Share
          value={numberOrNull(figures.powerW)}
          limit={numberOrNull(figures.powerLimitW)}
          unit="W"
        />
      </td>
      <td className={classNames(number, styles['vram'])}>
        <Share
          value={gibOrNull(figures.memoryUsedMiB, figures.memoryTotalMiB)}
          limit={gibOrNull(figures.memoryTotalMiB, figures.memoryTotalMiB)}
        />
      </td>
      <td className={classNames(number, styles['temperature'])}>
        <Cell text={numberOrNull(figures.temperatureC)} />
      </td>
      <td className={styles['finding']}>
        <WorstFinding boxId={box.id} tabIndex={inRow} />
      </td>
      <td className={classNames(number, styles['seen'])}>
        <SeenCell load={entry.load} latest={latest} />
      </td>
      <td className={classNames(number, styles['cost'])}>
        <CostCell boxId={box.id} />
      </td>
      <td className={styles['menu']}>
        <RowMenu entry={entry} tabIndex={inRow} />
      </td>
    </tr>
  );
});

interface GroupRowProps extends RowPlace {
  readonly group: FleetGroup;
  readonly known: FleetKnowledge;
}

export function GroupRow({ group, known, rowKey, ariaRow, isTabStop }: GroupRowProps) {
  const { id, label, entries, isCollapsed } = group;
  return (
    <tr
      className={styles['group-row']}
      data-row={rowKey}
      tabIndex={isTabStop ? 0 : -1}
      aria-rowindex={ariaRow}
      aria-level={1}
      aria-expanded={!isCollapsed}
      onClick={() => groupFolded(id, !isCollapsed)}
    >
      <td className={styles['group']} colSpan={2}>
        <ChevronRight size={14} aria-hidden className={styles['chevron']} />
        {label} <small>{formatCount(entries.length, 'box', 'boxes')}</small>
      </td>
      <LateSums entries={entries} known={known} />
    </tr>
  );
}

/** As many as there is room for would be half words: the first, and how many more. The box's name tells all. */
function Tags({ tags: [first, ...others] }: { readonly tags: readonly string[] }) {
  if (first === undefined) return null;
  return (
    <>
      <span className={styles['tag']}>{first}</span>
      {others.length > 0 && (
        <span className={styles['more']}>
          <span aria-hidden="true">+{others.length}</span>
          <span className="sr-only">{others.join(', ')}</span>
        </span>
      )}
    </>
  );
}

function ClockCell({ boxId }: { readonly boxId: string }) {
  const clock = useClockSummary(boxId);
  return (
    <span className={styles['due']}>
      {clock !== null && <ClockMark clock={clock} isBrief />}
      <Suspense fallback={null}>
        <BehindCell boxId={boxId} event={clock?.event ?? null} />
      </Suspense>
    </span>
  );
}

interface SparkCellProps {
  readonly boxId: string;
  readonly nowPct: number | null;
  readonly severity: 'critical' | 'warn' | 'info' | undefined;
}

function SparkCell({ boxId, nowPct, severity }: SparkCellProps) {
  const spark = useSparks(selectSpark(boxId));
  const tone = severity === 'critical' ? 'danger' : severity === 'warn' ? 'warn' : 'normal';
  return <Sparkline spark={spark} nowPct={nowPct} tone={tone} />;
}

/** A menu costs more than the rest of its row: it is made when it is asked for. */
function RowMenu({ entry, tabIndex }: { readonly entry: FleetEntry; readonly tabIndex: number }) {
  const [isWanted, setIsWanted] = useState(false);
  const { box, link } = entry;
  const label = `More actions for ${box.name}`;
  const face = <BoxMenuButton size="small" tabIndex={tabIndex} aria-label={label} data-menu />;
  if (!isWanted) {
    return (
      <BoxMenuButton
        size="small"
        tabIndex={tabIndex}
        aria-label={label}
        data-menu
        onClick={() => setIsWanted(true)}
      />
    );
  }
  return (
    <Suspense fallback={face}>
      <BoxMenu
        box={box}
        isDemo={box.platform === DEMO_PLATFORM}
        isUp={link.kind === 'up'}
        isOpenAtFirst
        trigger={face}
      />
    </Suspense>
  );
}

function SeenCell({
  load,
  latest,
}: Pick<FleetEntry, 'load'> & { readonly latest?: LatestFigures | undefined }) {
  if (load === null) return 'never';
  const seenAtMs = readSeenMs(load, latest);
  return seenAtMs === null ? <Cell text={null} /> : <SinceSeen atMs={seenAtMs} />;
}

/** A dash where the state at the start of the row says already why nothing was read. */
function Cell({ text }: { readonly text: string | null }) {
  return text ?? <Dash why="no reading" />;
}

/** `452 / 700 W`; a narrow window leaves the limit out. */
function Share({
  value,
  limit,
  unit = '',
}: {
  readonly value: string | null;
  readonly limit: string | null;
  readonly unit?: string;
}) {
  if (value === null) return <Cell text={null} />;
  return (
    <>
      {value}
      {limit !== null && <span className={styles['limit']}> / {limit}</span>} {unit}
    </>
  );
}

function describeWhole(entry: FleetEntry): string {
  const { box, gpus } = entry;
  const tags = box.tags.length === 0 ? '' : `\nTags: ${box.tags.join(', ')}`;
  return `${box.name}\n${describeGpus(gpus)}${tags}`;
}

function isOnControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest('button, [role="menu"]') !== null;
}

function numberOrNull(value: number | null): string | null {
  return value === null ? null : formatNumber(value);
}

/** Tenths beside more than a thousand would only take the place of what matters. */
function gibOrNull(mib: number | null, totalMiB: number | null): string | null {
  if (mib === null) return null;
  return (totalMiB ?? 0) >= 1000 * 1024 ? formatNumber(mib / 1024) : formatGiB(mib);
}
