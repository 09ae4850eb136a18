import { memo, useMemo, type CSSProperties } from 'react';
import type { GpuFacts } from '../../../shared/telemetry/gpu-facts.ts';
import { gpuModel } from '../../fleet/gpu-names.ts';
import { classNames } from '../../ui/class-names.ts';
import { Figure } from '../../ui/figure.tsx';
import { formatNumber, formatQuantity, formatShare } from '../../ui/format.ts';
import { useFrameLater } from '../../ui/use-frame-later.ts';
import { gpuColour } from './chart-model.ts';
import { clockHolders } from './clock-holders.ts';
import { formatMoment } from './chart-summary.ts';
import type { GpuChoice } from './gpu-choice.ts';
import styles from './gpu-strip.module.css';
import { figuresAt, type CurrentFigures, type GpuFigures } from './gpu-figures.ts';
import { METRIC_HINTS } from './metric-hints.ts';
import type { OverviewModel } from './overview-model.ts';
import { useTimeCursor } from './time-cursor.ts';

const COLUMNS: readonly (readonly [label: string, hint: string, isWide?: boolean])[] = [
  ['SM', METRIC_HINTS.sm],
  ['mem', METRIC_HINTS.mem],
  ['SM clock', METRIC_HINTS.clock],
  ['Power', METRIC_HINTS.power],
  ['Core', METRIC_HINTS.core],
  ['HBM', METRIC_HINTS.hbm],
  ['VRAM', METRIC_HINTS.vram],
  ['PCIe rx', METRIC_HINTS.rx, true],
  ['PCIe tx', METRIC_HINTS.tx, true],
  ['Throttle reason', 'What keeps the clock of the cores below what they can do.'],
];

interface GpuStripProps {
  /** All that are known to the live readings or to the history of the window. */
  readonly indexes: readonly number[];
  readonly gpus: readonly GpuFacts[] | null;
  /** Null when the newest readings no longer describe the present. */
  readonly current: readonly CurrentFigures[] | null;
  readonly model: OverviewModel;
  readonly choice: GpuChoice;
  readonly onChoose: (choice: GpuChoice) => void;
}

/** One line per GPU with its figures now or at the cursor; also the legend of the overlaid charts, and drawn a frame after them. */
export function GpuStrip({ current, model, ...props }: GpuStripProps) {
  const figures = useMemo(() => ({ current, model }), [current, model]);
  return <Lines {...props} {...useFrameLater(figures)} />;
}

const Lines = memo(function Lines({
  indexes,
  gpus,
  current,
  model,
  choice,
  onChoose,
}: GpuStripProps) {
  const at = useTimeCursor((cursor) => cursor.readAt);
  const { axis, isLive, series } = model;
  const atMs = at === null && isLive ? null : axis.fromMs + (at ?? 1) * (axis.toMs - axis.fromMs);
  const figuresOf = (index: number): GpuFigures | null =>
    atMs === null
      ? (current?.find((each) => each.index === index) ?? null)
      : figuresAt(series, index, atMs);
  const holdersOf = (index: number): readonly string[] | null => {
    const figures = figuresOf(index);
    const spans = series.find((each) => each.index === index)?.throttle ?? [];
    return figures === null ? null : clockHolders(figures, spans, atMs ?? axis.toMs);
  };
  return (
    <div className={styles['strip']}>
      <table>
        <caption className={styles['caption']}>
          {atMs === null ? 'GPUs' : `GPUs at ${formatMoment(atMs)}`}
        </caption>
        <thead>
          <tr>
            <th scope="col">GPU</th>
            {COLUMNS.map(([label, hint, isWide = false]) => (
              <th
                key={label}
                scope="col"
                title={hint}
                className={isWide ? styles['wide'] : undefined}
              >
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {indexes.map((index) => (
            <GpuRow
              key={index}
              index={index}
              facts={gpus?.find((gpu) => gpu.index === index) ?? null}
              reading={figuresOf(index)}
              holders={holdersOf(index)}
              isChosen={choice === index}
              hasSwatch={choice === 'all' && indexes.length > 1}
              onChoose={() => onChoose(choice === index && indexes.length > 1 ? 'all' : index)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
});

interface GpuRowProps {
  readonly index: number;
  readonly facts: GpuFacts | null;
  readonly reading: GpuFigures | null;
  /** What keeps its clock down; null: not told. */
  readonly holders: readonly string[] | null;
  readonly isChosen: boolean;
  readonly hasSwatch: boolean;
  readonly onChoose: () => void;
}

function GpuRow({ index, facts, reading, holders, isChosen, hasSwatch, onChoose }: GpuRowProps) {
  const cell = (value: number | null | undefined, write: (value: number) => string) => {
    if (reading === null) return <Figure text={null} />;
    return value === null || value === undefined ? <NotReported /> : write(value);
  };
  const wide = styles['wide'];
  return (
    <tr data-chosen={isChosen}>
      <td>
        <button
          type="button"
          className={styles['gpu']}
          aria-pressed={isChosen}
          title={facts === null ? undefined : `${gpuModel(facts.name)}, ${facts.uuid}`}
          onClick={onChoose}
        >
          {hasSwatch && (
            <span
              className={styles['swatch']}
              style={{ '--gpu-colour': `var(${gpuColour(index)})` } as CSSProperties}
            />
          )}
          GPU {index}
        </button>
      </td>
      <td>{cell(reading?.smPct, (pct) => formatQuantity(pct, '%'))}</td>
      <td>{cell(reading?.memPct, (pct) => formatQuantity(pct, '%'))}</td>
      <td>{cell(reading?.smClockMHz, (mhz) => formatQuantity(mhz, 'MHz'))}</td>
      <td>{cell(reading?.powerW, (w) => formatShare(w, facts?.powerLimitW ?? null, 'W'))}</td>
      <td>{cell(reading?.temperatureC, (c) => formatQuantity(c, '°C'))}</td>
      <td>{cell(reading?.memoryTemperatureC, (c) => formatQuantity(c, '°C'))}</td>
      <td>{cell(reading?.memoryUsedMiB, (mib) => describeMemory(mib, facts))}</td>
      <td className={wide}>{cell(reading?.pcieRxMBps, describeTraffic)}</td>
      <td className={wide}>{cell(reading?.pcieTxMBps, describeTraffic)}</td>
      <td>{reading === null ? <Figure text={null} /> : <ClockHolders holders={holders} />}</td>
    </tr>
  );
}

/** dmon's own dash: this card, driver or moment does not give the figure. It is not 0. */
function NotReported() {
  return (
    <span className={styles['muted']} title="not reported">
      –<span className="sr-only">not reported</span>
    </span>
  );
}

/** Null: neither dmon nor the driver told. */
function ClockHolders({ holders }: { readonly holders: readonly string[] | null }) {
  if (holders === null) return <NotReported />;
  const isHeld = holders.length > 0;
  return (
    <span className={classNames(isHeld ? styles['warn'] : styles['muted'])}>
      {isHeld ? holders.join(', ') : 'none'}
    </span>
  );
}

function describeMemory(usedMiB: number, facts: GpuFacts | null): string {
  const totalMiB = facts?.memoryTotalMiB ?? null;
  return formatShare(usedMiB / 1024, totalMiB === null ? null : totalMiB / 1024, 'GiB', 1);
}

function describeTraffic(megabytes: number): string {
  return megabytes >= 1000
    ? `${formatNumber(megabytes / 1000, 1)} GB/s`
    : formatQuantity(megabytes, 'MB/s');
}
