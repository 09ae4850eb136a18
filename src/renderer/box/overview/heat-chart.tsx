import { memo, useCallback, useId, type CSSProperties } from 'react';
import { valueOf } from '../../../shared/telemetry/reading-ring.ts';
import { formatNumber } from '../../ui/format.ts';
import type { Painting } from '../../ui/painted-canvas.tsx';
import { gpuLabel } from './chart-model.ts';
import { formatMoment } from './chart-summary.ts';
import type { CurrentFigures } from './gpu-figures.ts';
import { valueAt } from './gpu-series.ts';
import { foldWords, type HeatChart as Heat } from './heat-model.ts';
import { summariseHeat } from './heat-words.ts';
import styles from './metric-chart.module.css';
import type { OverviewModel } from './overview-model.ts';
import { paintHeat } from './paint/paint-heat.ts';
import { PlotArea } from './plot-area.tsx';
import { HEAT_FRAME } from './plot-frame.ts';
import { useTimeCursor } from './time-cursor.ts';
import type { MoveWindow } from './use-move-window.ts';

interface HeatChartProps {
  readonly heat: Heat;
  readonly model: OverviewModel;
  readonly current: readonly CurrentFigures[] | null;
  readonly move: MoveWindow;
  readonly hasSummary: boolean;
}

/** One row of cells for each GPU, with its figure at the cursor or now. */
export function HeatChart({ heat, model, current, move, hasSummary }: HeatChartProps) {
  const titleId = useId();
  const { kind, rows } = heat;
  return (
    <section
      className={styles['chart']}
      aria-labelledby={titleId}
      data-heat={kind.id}
      style={{ '--chart-colour': `var(${kind.colour})`, '--rows': rows.length } as CSSProperties}
    >
      <div className={styles['head']}>
        <h3 id={titleId} className={styles['title']} title={kind.hint}>
          {kind.title}
          <span className={styles['fold']}>, {foldWords[heat.fold]}</span>
        </h3>
        <div className={styles['value']}>
          <HeatTime model={model} unit={kind.unit} />
        </div>
      </div>
      <div className={styles['heatPlot']}>
        <HeatPlot heat={heat} model={model} move={move} isPast={model.isLive && current === null} />
        <HeatFigures heat={heat} model={model} current={current} />
      </div>
      <p className={hasSummary ? styles['summary'] : 'sr-only'}>{summariseHeat(heat, model)}</p>
    </section>
  );
}

function HeatTime({ model, unit }: { readonly model: OverviewModel; readonly unit: string }) {
  const at = useTimeCursor((cursor) => cursor.at);
  const { fromMs, toMs } = model.axis;
  const isNow = at === null && model.isLive;
  return (
    <span>{isNow ? unit : `${formatMoment(fromMs + (at ?? 1) * (toMs - fromMs))} · ${unit}`}</span>
  );
}

function HeatFigures({ heat, model, current }: Pick<HeatChartProps, 'heat' | 'model' | 'current'>) {
  const at = useTimeCursor((cursor) => cursor.readAt);
  const { kind, rows } = heat;
  const { fromMs, toMs } = model.axis;
  const figures = rows.map(({ series }) => {
    if (at !== null || !model.isLive) {
      return valueAt(series, kind.metric, fromMs + (at ?? 1) * (toMs - fromMs));
    }
    const reading = current?.find(({ index }) => index === series.index);
    return reading === undefined ? NaN : valueOf(reading, kind.metric);
  });
  return (
    <div className={styles['figures']} aria-hidden="true">
      {figures.map((value, row) => (
        <span key={rows[row]?.series.gpu ?? gpuLabel(null)}>
          {Number.isNaN(value) ? '–' : formatNumber(value / kind.divisor, kind.decimals)}
        </span>
      ))}
    </div>
  );
}

type HeatPlotProps = Pick<HeatChartProps, 'heat' | 'model' | 'move'> & { readonly isPast: boolean };

const HeatPlot = memo(function HeatPlot({ heat, model, move, isPast }: HeatPlotProps) {
  const paint = useCallback(
    (painting: Painting) => paintHeat(painting, heat, model),
    [heat, model],
  );
  return (
    <PlotArea
      id={heat.kind.id}
      className={styles['heat']}
      frame={HEAT_FRAME}
      paint={paint}
      model={model}
      move={move}
      isPast={isPast}
    />
  );
});
