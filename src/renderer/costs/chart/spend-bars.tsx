import { useId, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { formatMoney, type Money } from '../../../shared/money.ts';
import { classNames } from '../../ui/class-names.ts';
import { formatDay } from './spend-words.ts';
import { moneyTicks, roomFor, sumOf, type SpendBar, type SpendChart } from './spend-chart.ts';
import styles from './spend-chart.module.css';

const HEIGHT = 220;
/** Until the first layout, and where there is none. */
const FIRST_WIDTH = 1000;
/** Less is no picture any more. */
const MIN_WIDTH = 160;
const [BOTTOM, TOP] = [22, 10];
/** Every second part is striped as well: colours alone do not tell them apart for everybody. */
const isStriped = (part: number): boolean => part % 2 === 1;

/** The bars as a picture; the same is in words and in the table. Pointing at a bar says what it holds. */
export function SpendBars({
  chart,
  summary,
}: {
  readonly chart: SpendChart;
  readonly summary: string;
}) {
  const { bars, parts, currency, topMicros } = chart;
  const [pointed, setPointed] = useState<number | null>(null);
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const ticks = moneyTicks(topMicros);
  const labels = ticks.map((tick) => formatMoney({ micros: tick, currency }));
  const left = roomFor(labels);
  const top = ticks.at(-1) ?? 1;
  const y = (micros: number): number => HEIGHT - BOTTOM - (micros / top) * (HEIGHT - BOTTOM - TOP);
  const slot = (width - left) / Math.max(1, bars.length);
  const every = Math.ceil(bars.length / Math.max(1, Math.floor(width / 90)));
  const money = (micros: number): Money => ({ micros, currency });
  const bar = pointed === null ? undefined : bars[pointed];
  return (
    <div className={styles['bars']} ref={frame}>
      <svg viewBox={`0 0 ${String(width)} ${String(HEIGHT)}`} role="img" aria-label={summary}>
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
            id={`${id}-at-most`}
            width="7"
            height="7"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(-45)"
          >
            <rect className={styles['unseen']} width="1.6" height="7" />
          </pattern>
        </defs>
        {ticks.map((tick, i) => (
          <g key={tick}>
            <line className={styles['grid']} x1={left} x2={width} y1={y(tick)} y2={y(tick)} />
            <text className={styles['tick']} x={left - 8} y={y(tick) + 4} textAnchor="end">
              {labels[i]}
            </text>
          </g>
        ))}
        <line className={styles['base']} x1={left} x2={width} y1={y(0)} y2={y(0)} />
        {bars.map((each, i) => {
          const x = left + i * slot + slot * 0.12;
          const barWidth = slot * 0.76;
          return (
            <g key={each.fromMs}>
              <Stack bar={each} x={x} width={barWidth} y={y} patterns={id} />
              {(bars.length - 1 - i) % every === 0 && (
                <text
                  className={styles['tick']}
                  x={i === bars.length - 1 ? width : x + barWidth / 2}
                  y={HEIGHT - 6}
                  textAnchor={i === bars.length - 1 ? 'end' : 'middle'}
                >
                  {formatDay(each.fromMs)}
                </text>
              )}
              <rect
                className={classNames(styles['hit'], pointed === i && styles['pointed'])}
                x={left + i * slot}
                y={TOP}
                width={slot}
                height={HEIGHT - BOTTOM - TOP}
                onPointerEnter={() => setPointed(i)}
                onPointerLeave={() => setPointed(null)}
              />
            </g>
          );
        })}
      </svg>
      <p className={styles['note']} aria-hidden="true">
        {bar === undefined
          ? 'Point at a bar, or look at the table.'
          : [
              `${formatDay(bar.fromMs)}: ${formatMoney(money(sumOf(bar.micros)))}`,
              ...parts.flatMap(({ label }, i) =>
                (bar.micros[i] ?? 0) > 0
                  ? [`${label} ${formatMoney(money(bar.micros[i] ?? 0))}`]
                  : [],
              ),
              ...(bar.atMostMicros > 0
                ? [`at most ${formatMoney(money(bar.atMostMicros))} more`]
                : []),
            ].join(' · ')}
      </p>
      <ul className={styles['legend']}>
        {parts.map((part, i) => (
          <li key={part.id} title={part.label}>
            <svg viewBox="0 0 12 12" aria-hidden="true">
              <rect className={styles[`part${String(i)}`]} width="12" height="12" rx="2" />
              {isStriped(i) && <rect fill={`url(#${id}-stripes)`} width="12" height="12" rx="2" />}
            </svg>
            {part.label}
          </li>
        ))}
        {bars.some(({ atMostMicros }) => atMostMicros > 0) && (
          <li>
            <svg viewBox="0 0 12 12" aria-hidden="true">
              <rect
                className={styles['outline']}
                fill={`url(#${id}-at-most)`}
                x="0.5"
                y="0.5"
                width="11"
                height="11"
              />
            </svg>
            at most, nobody saw it
          </li>
        )}
      </ul>
    </div>
  );
}

/** In CSS pixels, so that the words in the picture are as large as those around it. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(FIRST_WIDTH);
  useLayoutEffect(() => {
    if (element.current === null) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setWidth(Math.max(MIN_WIDTH, Math.round(entry.contentRect.width)));
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

interface StackProps {
  readonly bar: SpendBar;
  readonly x: number;
  readonly width: number;
  readonly y: (micros: number) => number;
  readonly patterns: string;
}

function Stack({ bar, x, width, y, patterns }: StackProps) {
  const boxes = bar.micros.map((micros, part) => {
    const below = sumOf(bar.micros.slice(0, part));
    const top = y(below + micros);
    return { part, top, height: y(below) - top };
  });
  const known = sumOf(bar.micros);
  const top = y(known + bar.atMostMicros);
  const atMost = { top, height: y(known) - top };
  return (
    <>
      {boxes.map(
        ({ part, top, height }) =>
          height > 0 && (
            <g key={part}>
              <rect
                className={styles[`part${String(part)}`]}
                x={x}
                y={top}
                width={width}
                height={height}
              />
              {isStriped(part) && (
                <rect
                  fill={`url(#${patterns}-stripes)`}
                  x={x}
                  y={top}
                  width={width}
                  height={height}
                />
              )}
            </g>
          ),
      )}
      {atMost.height > 0 && (
        <rect
          className={styles['outline']}
          fill={`url(#${patterns}-at-most)`}
          x={x}
          y={atMost.top}
          width={width}
          height={atMost.height}
        />
      )}
    </>
  );
}
