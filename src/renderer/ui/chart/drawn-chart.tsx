import { useId, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { createPortal } from 'react-dom';
import {
  Bar,
  CartesianGrid,
  ComposedChart,
  Line,
  ReferenceArea,
  ReferenceDot,
  ReferenceLine,
  Tooltip,
  useActiveTooltipDataPoints,
  useIsTooltipActive,
  XAxis,
  YAxis,
  type BarShapeProps,
  type MouseHandlerDataParam,
} from 'recharts';
import { classNames } from '../class-names.ts';
import type { ChartPoint, ChartProps, ChartSeries } from './chart.tsx';
import styles from './chart.module.css';
import { middleCut } from './middle-cut.ts';

/** Until the first layout, and where there is none. */
const FIRST_WIDTH_PX = 1000;
/** Less is no picture any more. */
const MIN_WIDTH_PX = 160;
/** The last word below the axis stands under the last bar. Cut off, it would take all others with it. */
const HALF_LABEL_PX = 24;
/** Beside the first and the last of places that stand side by side. */
const EVEN_PX = 40;
/** Between two words below the axis. */
const GAP_PX = 32;
/** About what has room beside the first and the last place; the whole word is told at the point. */
const MAX_LABEL_CHARS = 16;

/** With the library: its file is loaded by `chart.tsx` alone. */
export function DrawnChart({
  summary,
  points,
  series,
  limit,
  mark,
  isEven = false,
  heightPx,
  formatValue,
  formatAt,
  scale = 'from-zero',
  onSelect,
}: ChartProps) {
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const widthPx = useWidth(frame);
  const [voice, setVoice] = useState<HTMLElement | null>(null);
  const drag = useDrag(points, onSelect);
  const hasBars = series.some(({ shape }) => shape === 'bar');
  return (
    <div className={styles['chart']} ref={frame}>
      <ComposedChart
        data={points}
        width={widthPx}
        height={heightPx}
        accessibilityLayer
        aria-label={summary}
        aria-roledescription="chart"
        barCategoryGap="12%"
        margin={{ top: 8, right: HALF_LABEL_PX, bottom: 0, left: 0 }}
        {...drag.handlers}
      >
        <Textures id={id} />
        <CartesianGrid vertical={false} />
        <XAxis
          dataKey="at"
          type={hasBars || isEven ? 'category' : 'number'}
          {...(isEven && { padding: { left: EVEN_PX, right: EVEN_PX } })}
          domain={['dataMin', 'dataMax']}
          interval="equidistantPreserveEnd"
          minTickGap={GAP_PX}
          tickFormatter={
            isEven ? (at: number) => middleCut(formatAt(at), MAX_LABEL_CHARS) : formatAt
          }
          tickLine={false}
          fontSize={11}
        />
        <YAxis
          width="auto"
          scale={scale === 'log' ? 'log' : 'linear'}
          domain={[
            scale === 'from-zero' ? 0 : 'auto',
            limit === undefined ? 'auto' : (top: number) => Math.max(top, limit.value),
          ]}
          allowDataOverflow={scale === 'log'}
          tickCount={4}
          tickFormatter={formatValue}
          tickLine={false}
          axisLine={false}
          fontSize={11}
        />
        <Tooltip content={<Note />} isAnimationActive={false} />
        {drag.stretch !== null && (
          <ReferenceArea
            className={classNames(styles['stretch'])}
            x1={drag.stretch.from}
            x2={drag.stretch.to}
          />
        )}
        {limit !== undefined && (
          <ReferenceLine
            className={classNames(styles['limit'])}
            y={limit.value}
            label={{ value: limit.label, position: 'insideBottomLeft', fontSize: 11 }}
          />
        )}
        {series.map((each, i) => {
          const dataKey = ({ values }: ChartPoint): number | null => values[i] ?? null;
          return each.shape === 'bar' ? (
            <Bar
              key={each.id}
              dataKey={dataKey}
              name={each.label}
              stackId="bars"
              isAnimationActive={false}
              shape={(box: BarShapeProps) => (
                <Texture look={each.look} id={id} x={box.x} y={box.y} {...sizeOf(box)} />
              )}
            />
          ) : (
            <Line
              key={each.id}
              className={classNames(styles['line'], lookOf(each.look), strokeOf(each))}
              dataKey={dataKey}
              name={each.label}
              type="linear"
              dot={each.shape === 'dots' && { r: 4, className: dotsOf(each) }}
              connectNulls={each.joins ?? false}
              activeDot={{ r: 3 }}
              isAnimationActive={false}
            />
          );
        })}
        {mark !== undefined && (
          <ReferenceDot
            className={classNames(styles['mark'])}
            x={mark.at}
            y={mark.value}
            r={9}
            label={{
              value: mark.label,
              position: 'top',
              offset: 2,
              fontSize: 11,
              className: classNames(styles['markLabel']),
            }}
          />
        )}
        {voice !== null && <Voice at={voice} />}
      </ComposedChart>
      <p className="sr-only" role="status" ref={setVoice} />
      <Legend series={series} id={id} />
    </div>
  );
}

interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Draws a stretch with the pointer, from one point to another; a mere click draws none. */
function useDrag(points: readonly ChartPoint[], onSelect: ChartProps['onSelect']) {
  const [stretch, setStretch] = useState<Stretch | null>(null);
  if (onSelect === undefined) return { stretch: null, handlers: {} };
  const atOf = ({ activeTooltipIndex }: MouseHandlerDataParam): number | null =>
    points[Number(activeTooltipIndex ?? -1)]?.at ?? null;
  const ended = (): void => {
    setStretch(null);
    if (stretch === null || stretch.from === stretch.to) return;
    onSelect(Math.min(stretch.from, stretch.to), Math.max(stretch.from, stretch.to));
  };
  return {
    stretch: stretch !== null && stretch.from !== stretch.to ? stretch : null,
    handlers: {
      onMouseDown: (state: MouseHandlerDataParam): void => {
        const at = atOf(state);
        if (at !== null) setStretch({ from: at, to: at });
      },
      onMouseMove: (state: MouseHandlerDataParam): void => {
        const at = atOf(state);
        if (at === null || stretch === null || stretch.to === at) return;
        setStretch({ ...stretch, to: at });
      },
      onMouseUp: ended,
      onMouseLeave: ended,
    },
  };
}

/** The library's own container takes a place without a layout, as in tests, for one without room. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(FIRST_WIDTH_PX);
  useLayoutEffect(() => {
    if (element.current === null) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setWidth(Math.max(MIN_WIDTH_PX, entry.contentRect.width));
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

const strokeOf = ({ shape, stroke = 0 }: ChartSeries): string | undefined =>
  styles[shape === 'dots' ? 'dots' : `stroke-${String(stroke)}`];

/** The library draws dots elsewhere than the line that they belong to. */
const dotsOf = ({ look, isHollow }: ChartSeries): string =>
  classNames(styles['dot'], lookOf(look), isHollow === true && styles['hollow']);

const lookOf = (look: ChartSeries['look']): string | undefined => styles[`look-${String(look)}`];

const sizeOf = ({ width, height }: BarShapeProps): { width: number; height: number } => ({
  width: Math.max(0, width),
  height: Math.max(0, height),
});

interface TextureProps {
  readonly look: ChartSeries['look'];
  /** Of the patterns. */
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Every second look is striped as well: colours alone do not tell them apart for everybody. */
function Texture({ look, id, ...place }: TextureProps) {
  if (place.height === 0) return null;
  if (look === 'unseen') {
    return <rect className={styles['outline']} fill={`url(#${id}-unseen)`} {...place} />;
  }
  return (
    <>
      <rect className={classNames(styles['area'], lookOf(look))} {...place} />
      {look % 2 === 1 && <rect fill={`url(#${id}-stripes)`} {...place} />}
    </>
  );
}

function Textures({ id }: { readonly id: string }) {
  return (
    <defs>
      <pattern
        id={`${id}-stripes`}
        width="6"
        height="6"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <rect className={styles['stripe']} width="2.4" height="6" />
      </pattern>
      <pattern
        id={`${id}-unseen`}
        width="7"
        height="7"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(-45)"
      >
        <rect className={styles['hatch']} width="1.6" height="7" />
      </pattern>
    </defs>
  );
}

/** Beside the pointer, or the bar that the keyboard is at. */
function Note({
  active = false,
  payload = [],
}: {
  readonly active?: boolean;
  readonly payload?: readonly { readonly payload: ChartPoint }[];
}) {
  const point = payload[0]?.payload;
  if (!active || point === undefined) return null;
  return (
    <div className={styles['note']} aria-hidden="true">
      <b>{point.title}</b>
      {point.lines.map((line) => (
        <span key={line}>{line}</span>
      ))}
    </div>
  );
}

/** Says the same to those who do not see it. It knows the point inside of the picture, and is heard outside of it. */
function Voice({ at }: { readonly at: HTMLElement }) {
  const isActive = useIsTooltipActive();
  const point = useActiveTooltipDataPoints<ChartPoint>()?.[0];
  const words = isActive && point !== undefined ? [point.title, ...point.lines].join(', ') : '';
  return createPortal(words, at);
}

function Legend({ series, id }: { readonly series: readonly ChartSeries[]; readonly id: string }) {
  return (
    <ul className={styles['legend']}>
      {series.map((each) => (
        <li key={each.id} title={each.label}>
          <Swatch series={each} id={id} />
          {each.label}
        </li>
      ))}
    </ul>
  );
}

/** A dash is told by some of its turns: a line has more room than a bar. */
function Swatch({ series, id }: { readonly series: ChartSeries; readonly id: string }) {
  const { look, shape } = series;
  if (shape === 'line') {
    return (
      <svg className={styles['long']} viewBox="0 0 28 12" aria-hidden="true">
        <path
          className={classNames(styles['stroke'], lookOf(look), strokeOf(series))}
          d="M0 6H28"
        />
      </svg>
    );
  }
  return (
    <svg viewBox="0 0 12 12" aria-hidden="true">
      {shape === 'bar' ? (
        <Texture look={look} id={id} x={0.5} y={0.5} width={11} height={11} />
      ) : (
        <circle className={dotsOf(series)} cx={6} cy={6} r={4} />
      )}
    </svg>
  );
}
