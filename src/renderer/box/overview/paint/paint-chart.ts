import { formatNumber } from '../../../ui/format.ts';
import { paintEnvelope, paintLine, type PlaneScale } from '../../../ui/paint-line.ts';
import type { Painting } from '../../../ui/painted-canvas.tsx';
import type { Chart } from '../chart-model.ts';
import type { OverviewModel } from '../overview-model.ts';
import { LINE_FRAME } from '../plot-frame.ts';
import type { BandTone, ThrottleBand } from '../throttle-bands.ts';
import {
  heardStretches,
  paintGaps,
  paintMarks,
  paintTimeTicks,
  paintWords,
  planeOf,
  TICK_FONT,
  timeScale,
  type Plane,
} from './paint-plot.ts';

/** One of the six charts with everything behind its lines. */
export function paintChart(painting: Painting, chart: Chart, model: OverviewModel): void {
  const { context } = painting;
  const plane = planeOf(painting, LINE_FRAME);
  const scale: PlaneScale = { x: timeScale(plane, model.axis), y: valueScale(plane, chart) };
  if (chart.kind.hasBands) paintBands(painting, plane, model.bands, scale.x);
  paintGaps(painting, plane, model.gaps, scale.x);
  paintGrid(painting, plane, chart, scale.y);
  paintTimeTicks(painting, plane, model.ticks, scale.x);
  context.save();
  context.beginPath();
  context.rect(plane.left, plane.top - 2, plane.right - plane.left, plane.bottom - plane.top + 3);
  context.clip();
  paintLimit(painting, plane, chart, scale.y);
  context.beginPath();
  for (const [left, right] of heardStretches(plane, model.gaps, scale.x)) {
    // A point that stands at the edge of a gap is seen whole.
    context.rect(left - 1, plane.top - 2, right - left + 2, plane.bottom - plane.top + 3);
  }
  context.clip();
  paintLines(painting, chart, scale);
  context.restore();
  // In one chart the events have words, in all of them lines.
  paintMarks(painting, plane, model.clusters, scale.x, chart.kind.id === 'sm');
  paintLimitLabel(painting, plane, chart, scale.y);
  if (chart.kind.id === 'clock') paintBandLabels(painting, plane, model.bands, scale.x);
}

function valueScale({ top, bottom }: Plane, { min, max }: Chart): PlaneScale['y'] {
  return (value) => bottom - ((value - min) / (max - min)) * (bottom - top);
}

function paintGrid(
  { context, palette }: Painting,
  plane: Plane,
  { ticks }: Chart,
  y: PlaneScale['y'],
): void {
  context.font = TICK_FONT;
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  context.lineWidth = 1;
  for (const tick of ticks) {
    const at = Math.round(y(tick)) + 0.5;
    context.strokeStyle = palette('--chart-grid');
    context.beginPath();
    context.moveTo(plane.left, at);
    context.lineTo(plane.right, at);
    context.stroke();
    context.fillStyle = palette('--text-faint');
    context.fillText(formatNumber(tick, Number.isInteger(tick) ? 0 : 1), plane.left - 6, at);
  }
}

function paintLimit(
  { context, palette }: Painting,
  plane: Plane,
  { limit }: Chart,
  y: PlaneScale['y'],
): void {
  if (limit === null) return;
  const at = Math.round(y(limit.value)) + 0.5;
  context.save();
  context.strokeStyle = palette('--text-faint');
  context.setLineDash([3, 3]);
  context.beginPath();
  context.moveTo(plane.left, at);
  context.lineTo(plane.right, at);
  context.stroke();
  context.restore();
}

/** Above its line where there is room: a card spends its life below it. */
function paintLimitLabel(
  painting: Painting,
  plane: Plane,
  { limit, kind }: Chart,
  y: PlaneScale['y'],
): void {
  // The other limits are told in the title, as "452 of 700 W".
  if (limit === null || kind.id !== 'temperature') return;
  const { context } = painting;
  const at = Math.round(y(limit.value));
  const isAbove = at - LABEL_HEIGHT >= plane.top;
  context.font = TICK_FONT;
  context.textAlign = 'right';
  context.textBaseline = isAbove ? 'bottom' : 'top';
  paintWords(painting, `${limit.label} ${formatNumber(limit.value)} °C`, {
    x: plane.right - 2,
    y: isAbove ? at - 2 : at + 3,
    ink: '--text-muted',
  });
}

/** Eight envelopes over each other would hide the lines. */
const MANY_LINES = 3;

function paintLines({ context, palette }: Painting, { lines }: Chart, scale: PlaneScale): void {
  const isMany = lines.length > MANY_LINES;
  context.lineJoin = 'round';
  for (const { atMs, envelope, colour } of lines) {
    if (envelope === null) continue;
    context.fillStyle = palette(colour);
    context.globalAlpha = isMany ? 0.1 : 0.26;
    paintEnvelope(context, { atMs, ...envelope }, scale);
  }
  context.globalAlpha = 1;
  context.lineWidth = isMany ? 1.1 : 1.4;
  for (const { atMs, values, colour } of lines) {
    context.strokeStyle = palette(colour);
    paintLine(context, { atMs, values }, scale);
  }
}

export const BAND_COLOURS: Readonly<
  Record<BandTone, { readonly fill: string; readonly ink: string }>
> = {
  danger: { fill: '--fill-danger', ink: '--status-danger' },
  warn: { fill: '--fill-warn', ink: '--status-warn' },
  quiet: { fill: '--fill-notice', ink: '--status-notice' },
};

function paintBands(
  { context, palette }: Painting,
  plane: Plane,
  bands: readonly ThrottleBand[],
  x: PlaneScale['x'],
): void {
  for (const band of bands) {
    const [left, right] = edgesOf(band, plane, x);
    context.fillStyle = palette(BAND_COLOURS[band.tone].fill);
    context.fillRect(left, plane.top, Math.max(2, right - left), plane.bottom - plane.top);
  }
}

function edgesOf(band: ThrottleBand, plane: Plane, x: PlaneScale['x']): readonly [number, number] {
  return [Math.max(x(band.fromMs), plane.left), Math.min(x(band.toMs), plane.right)];
}

const LABEL_HEIGHT = 12;
const LABEL_OVERHANG = 2.5;

/** The reason in words at the top of its band; where two meet, the later one stands a line lower. */
function paintBandLabels(
  painting: Painting,
  plane: Plane,
  bands: readonly ThrottleBand[],
  x: PlaneScale['x'],
): void {
  const { context } = painting;
  context.font = TICK_FONT;
  context.textAlign = 'left';
  context.textBaseline = 'top';
  const rowEnds: number[] = [];
  for (const band of bands) {
    const [left, right] = edgesOf(band, plane, x);
    const width = context.measureText(band.label).width;
    // Words much wider than a band that is over would stand over what came after it. Pointing at it tells them.
    if (right < plane.right - 1 && (right - left) * LABEL_OVERHANG < width) continue;
    // A band at the right end is younger than its words are long: they stand to its left.
    const at = left + 4 + width <= plane.right ? left + 4 : plane.right - width - 4;
    const row = rowEnds.findIndex((end) => end < at);
    const place = row === -1 ? rowEnds.length : row;
    if (place > 2 || at < plane.left) continue;
    rowEnds[place] = at + width + 6;
    // Below the line of the highest clock, which lies at the very top.
    const y = plane.top + 10 + place * LABEL_HEIGHT;
    paintWords(painting, band.label, { x: at, y, ink: BAND_COLOURS[band.tone].ink });
  }
}
