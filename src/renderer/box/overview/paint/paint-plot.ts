import type { Painting } from '../../../ui/painted-canvas.tsx';
import type { PlaneScale } from '../../../ui/paint-line.ts';
import type { EventMark } from '../event-marks.ts';
import type { GapSpan } from '../gap-spans.ts';
import type { PlotFrame } from '../plot-frame.ts';
import type { TimeAxis, TimeTick } from '../time-axis.ts';

// What lies behind and beside the lines of every plot: the time axis, silences, events.

export const TICK_FONT = '10px "Inter Variable", sans-serif';

/** The plot inside its frame, in CSS pixels. */
export interface Plane {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export function planeOf(
  { width, height }: Pick<Painting, 'width' | 'height'>,
  frame: PlotFrame,
): Plane {
  return {
    left: frame.left,
    top: frame.top,
    right: width - frame.right,
    bottom: height - frame.bottom,
  };
}

/** Words among lines: with a rim of the ground, so that no line goes through a letter. */
export function paintWords(
  { context, palette }: Pick<Painting, 'context' | 'palette'>,
  words: string,
  { x, y, ink }: { readonly x: number; readonly y: number; readonly ink: string },
): void {
  context.save();
  context.lineJoin = 'round';
  context.lineWidth = 3;
  context.strokeStyle = palette('--surface');
  context.strokeText(words, x, y);
  context.fillStyle = palette(ink);
  context.fillText(words, x, y);
  context.restore();
}

export function timeScale({ left, right }: Plane, { fromMs, toMs }: TimeAxis): PlaneScale['x'] {
  return (atMs) => left + ((atMs - fromMs) / (toMs - fromMs)) * (right - left);
}

export function paintTimeTicks(
  { context, palette }: Painting,
  plane: Plane,
  ticks: readonly TimeTick[],
  x: PlaneScale['x'],
): void {
  context.font = TICK_FONT;
  context.fillStyle = palette('--text-faint');
  context.textBaseline = 'top';
  let freeFrom = -Infinity;
  for (const { atMs, label } of ticks) {
    const width = context.measureText(label).width;
    // The outer two are turned inwards, so that they do not hang over the edge.
    const left = Math.min(Math.max(x(atMs) - width / 2, plane.left), plane.right - width);
    if (left < freeFrom) continue;
    context.textAlign = 'left';
    context.fillText(label, left, plane.bottom + 6);
    freeFrom = left + width + 8;
  }
}

const HATCH_EVERY = 6;

/** Where lines may be: everywhere but in a gap, which a line would deny. Left and right edges, from left to right. */
export function heardStretches(
  { left, right }: Pick<Plane, 'left' | 'right'>,
  gaps: readonly GapSpan[],
  x: PlaneScale['x'],
): readonly (readonly [number, number])[] {
  const stretches: [number, number][] = [];
  let from = left;
  for (const gap of gaps) {
    const [begins, ends] = [x(gap.fromMs), x(gap.toMs)];
    // As narrow as that it is not hatched.
    if (ends - begins < 1) continue;
    if (begins > from) stretches.push([from, Math.min(begins, right)]);
    from = Math.max(from, ends);
  }
  if (from < right) stretches.push([from, right]);
  return stretches;
}

/** Hatched, so that nobody takes it for a line at zero, with the reason where it fits. */
export function paintGaps(
  { context, palette }: Painting,
  plane: Plane,
  gaps: readonly GapSpan[],
  x: PlaneScale['x'],
): void {
  for (const gap of gaps) {
    const left = Math.max(x(gap.fromMs), plane.left);
    const right = Math.min(x(gap.toMs), plane.right);
    if (right - left < 1) continue;
    context.save();
    context.beginPath();
    context.rect(left, plane.top, right - left, plane.bottom - plane.top);
    context.clip();
    context.strokeStyle = palette('--line-strong');
    context.globalAlpha = 0.55;
    context.lineWidth = 1;
    context.beginPath();
    const height = plane.bottom - plane.top;
    // Fixed to the plot, not to the gap, so that the hatching stands still while the gap wanders.
    const first = Math.floor((left - height) / HATCH_EVERY) * HATCH_EVERY;
    for (let at = first; at < right; at += HATCH_EVERY) {
      context.moveTo(at, plane.bottom);
      context.lineTo(at + height, plane.top);
    }
    context.stroke();
    context.restore();
    paintGapWords({ context, palette }, plane, gap.words, left, right);
  }
}

function paintGapWords(
  { context, palette }: Pick<Painting, 'context' | 'palette'>,
  plane: Plane,
  words: string,
  left: number,
  right: number,
): void {
  context.font = TICK_FONT;
  const width = context.measureText(words).width;
  if (width + 12 > right - left) return;
  const middle = (left + right) / 2;
  const at = plane.bottom - 16;
  context.fillStyle = palette('--surface');
  context.fillRect(middle - width / 2 - 4, at - 2, width + 8, 14);
  context.fillStyle = palette('--text-muted');
  context.textAlign = 'center';
  context.textBaseline = 'top';
  context.fillText(words, middle, at);
}

const MARK_COLOURS: Readonly<Record<EventMark['tone'], string>> = {
  danger: '--status-danger',
  warn: '--status-warn',
  info: '--status-notice',
};

/** A dotted line for each group of events; with words, one beside it where there is room. */
export function paintMarks(
  { context, palette }: Painting,
  plane: Plane,
  clusters: readonly (readonly EventMark[])[],
  x: PlaneScale['x'],
  hasWords: boolean,
): void {
  context.font = TICK_FONT;
  context.textBaseline = 'bottom';
  context.textAlign = 'left';
  for (const [i, cluster] of clusters.entries()) {
    const worst = worstOf(cluster);
    const left = Math.round(x(worst.atMs)) + 0.5;
    const ink = MARK_COLOURS[worst.tone];
    context.save();
    context.strokeStyle = palette(ink);
    context.lineWidth = 1;
    context.setLineDash([2, 3]);
    context.beginPath();
    context.moveTo(left, plane.top);
    context.lineTo(left, plane.bottom);
    context.stroke();
    context.restore();
    if (!hasWords) continue;
    const words = cluster.length === 1 ? worst.label : `${worst.label} +${cluster.length - 1}`;
    const width = context.measureText(words).width;
    const next = clusters[i + 1]?.[0];
    const freeTo = Math.min(plane.right, next === undefined ? Infinity : x(next.atMs));
    if (left + 4 + width <= freeTo) {
      paintWords({ context, palette }, words, { x: left + 4, y: plane.bottom - 2, ink });
    }
  }
}

const SEVERITY: readonly EventMark['tone'][] = ['danger', 'warn', 'info'];

function worstOf(cluster: readonly EventMark[]): EventMark {
  return [...cluster].sort(
    (a, b) => SEVERITY.indexOf(a.tone) - SEVERITY.indexOf(b.tone),
  )[0] as EventMark;
}
