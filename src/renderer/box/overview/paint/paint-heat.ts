import type { Painting } from '../../../ui/painted-canvas.tsx';
import { gpuLabel } from '../chart-model.ts';
import { HEAT_CELLS, type HeatChart } from '../heat-model.ts';
import type { OverviewModel } from '../overview-model.ts';
import { HEAT_FRAME } from '../plot-frame.ts';
import { paintMarks, paintTimeTicks, planeOf, TICK_FONT, timeScale } from './paint-plot.ts';

/** The palest cell still stands out from what was not reported. */
export const LEAST_ALPHA = 0.1;

/**
 * One row of cells a GPU. One colour that grows stronger and never another one: the order is seen in grey, too. What was
 * not reported is crossed out.
 */
export function paintHeat(painting: Painting, heat: HeatChart, model: OverviewModel): void {
  const { context, palette } = painting;
  const plane = planeOf(painting, HEAT_FRAME);
  const x = timeScale(plane, model.axis);
  const rowHeight = (plane.bottom - plane.top) / Math.max(1, heat.rows.length);
  const cellWidth = (plane.right - plane.left) / HEAT_CELLS;
  const gap = rowHeight > 10 ? 2 : 1;
  for (const [row, { cells, series }] of heat.rows.entries()) {
    const top = plane.top + row * rowHeight;
    context.globalAlpha = 1;
    context.fillStyle = palette('--text-muted');
    context.font = TICK_FONT;
    context.textAlign = 'left';
    context.textBaseline = 'middle';
    context.fillText(gpuLabel(series.index), 0, top + rowHeight / 2);
    for (const [cell, share] of cells.entries()) {
      const left = plane.left + cell * cellWidth;
      if (share === null) {
        paintMissing(painting, left, top, cellWidth, rowHeight - gap);
        continue;
      }
      context.globalAlpha = LEAST_ALPHA + (1 - LEAST_ALPHA) * share;
      context.fillStyle = palette(heat.kind.colour);
      context.fillRect(left, top, cellWidth - 0.5, rowHeight - gap);
    }
  }
  context.globalAlpha = 1;
  paintTimeTicks(painting, plane, model.ticks, x);
  paintMarks(painting, plane, model.clusters, x, false);
}

function paintMissing(
  { context, palette }: Painting,
  left: number,
  top: number,
  width: number,
  height: number,
): void {
  context.globalAlpha = 0.5;
  context.strokeStyle = palette('--line-strong');
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(left, top + height);
  context.lineTo(left + width, top);
  context.stroke();
}
