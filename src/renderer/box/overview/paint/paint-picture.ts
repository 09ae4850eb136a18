import { paintCanvas } from '../../../ui/painted-canvas.tsx';
import type { Palette } from '../../../ui/palette.ts';
import { gpuColour, gpuLabel } from '../chart-model.ts';
import { valuesAt } from '../chart-model.ts';
import { describeSpan, formatMoment } from '../chart-summary.ts';
import { describeValues } from '../chart-words.ts';
import { foldWords } from '../heat-model.ts';
import type { OverviewModel } from '../overview-model.ts';
import { paintChart } from './paint-chart.ts';
import { paintHeat } from './paint-heat.ts';

// The charts as a picture of their own: title, box, range and legend, without the window around them.

const COLUMNS = 3;
const TILE_WIDTH = 440;
const LINE_TILE_HEIGHT = 190;
const HEAT_ROW_HEIGHT = 17;
const TILE_HEAD = 28;
const MARGIN = 24;
const GAP = 12;
const HEAD = 64;
const LEGEND = 26;
const SHARP = 2;

interface Tile {
  readonly title: string;
  readonly colour: string;
  readonly figure: string;
  readonly paint: (
    context: CanvasRenderingContext2D,
    size: { readonly width: number; readonly height: number },
  ) => void;
}

/** PNG bytes; null: this browser engine paints none, which the caller says. */
export async function paintPicture(
  model: OverviewModel,
  boxName: string,
  palette: Palette,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const tiles = tilesOf(model, palette);
  const rows = Math.ceil(tiles.length / COLUMNS);
  const tileHeight =
    model.heat.length > 0
      ? TILE_HEAD + model.shown.length * HEAT_ROW_HEIGHT + 28
      : LINE_TILE_HEIGHT;
  const size = {
    width: 2 * MARGIN + COLUMNS * TILE_WIDTH + (COLUMNS - 1) * GAP,
    height: HEAD + rows * (tileHeight + GAP) + LEGEND + MARGIN,
  };
  const canvas = document.createElement('canvas');
  paintCanvas(canvas, size, SHARP, (context) => {
    context.fillStyle = palette('--page');
    context.fillRect(0, 0, size.width, size.height);
    paintHead(context, palette, model, boxName);
    for (const [i, tile] of tiles.entries()) {
      const left = MARGIN + (i % COLUMNS) * (TILE_WIDTH + GAP);
      const top = HEAD + Math.floor(i / COLUMNS) * (tileHeight + GAP);
      paintTile(context, palette, tile, { left, top, height: tileHeight });
    }
    paintLegend(context, palette, model, size.height - MARGIN);
  });
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
  return blob === null ? null : new Uint8Array(await blob.arrayBuffer());
}

function tilesOf(model: OverviewModel, palette: Palette): readonly Tile[] {
  const lines = model.charts.map((chart): Tile => ({
    title: chart.kind.title,
    colour: chart.isOverlaid ? '--text' : chart.kind.colour,
    figure: describeValues(chart, valuesAt(chart, model.axis.toMs)),
    paint: (context, size) => paintChart({ context, ...size, palette }, chart, model),
  }));
  const heat = model.heat.map((each): Tile => ({
    title: each.kind.title,
    colour: each.kind.colour,
    figure: foldWords[each.fold],
    paint: (context, size) => paintHeat({ context, ...size, palette }, each, model),
  }));
  return [...lines, ...heat];
}

function paintHead(
  context: CanvasRenderingContext2D,
  palette: Palette,
  model: OverviewModel,
  boxName: string,
): void {
  const { fromMs, toMs } = model.axis;
  const spanMs = toMs - fromMs;
  context.textBaseline = 'alphabetic';
  context.textAlign = 'left';
  context.fillStyle = palette('--text');
  context.font = '600 18px "Inter Variable", sans-serif';
  context.fillText(boxName, MARGIN, 32);
  context.fillStyle = palette('--text-muted');
  context.font = '12px "Inter Variable", sans-serif';
  const gpus = model.shown.map(({ index }) => gpuLabel(index)).join(', ');
  context.fillText(
    `${gpus} · ${formatMoment(fromMs, spanMs)} to ${formatMoment(toMs, spanMs)} (${describeSpan({ ...model, isLive: true })}) · Leasehold`,
    MARGIN,
    52,
  );
}

function paintTile(
  context: CanvasRenderingContext2D,
  palette: Palette,
  tile: Tile,
  place: { readonly left: number; readonly top: number; readonly height: number },
): void {
  context.save();
  context.translate(place.left, place.top);
  context.fillStyle = palette('--surface');
  context.strokeStyle = palette('--line');
  context.lineWidth = 1;
  context.fillRect(0, 0, TILE_WIDTH, place.height);
  context.strokeRect(0.5, 0.5, TILE_WIDTH - 1, place.height - 1);
  context.textBaseline = 'alphabetic';
  context.font = '600 12.5px "Inter Variable", sans-serif';
  context.fillStyle = palette(tile.colour);
  context.textAlign = 'left';
  context.fillText(tile.title, 14, 20);
  context.font = '12.5px "Inter Variable", sans-serif';
  context.fillStyle = palette('--text-muted');
  context.textAlign = 'right';
  context.fillText(tile.figure, TILE_WIDTH - 14, 20);
  context.translate(14, TILE_HEAD);
  tile.paint(context, { width: TILE_WIDTH - 28, height: place.height - TILE_HEAD - 6 });
  context.restore();
}

function paintLegend(
  context: CanvasRenderingContext2D,
  palette: Palette,
  model: OverviewModel,
  bottom: number,
): void {
  context.font = '11px "Inter Variable", sans-serif';
  context.textBaseline = 'alphabetic';
  context.textAlign = 'left';
  let left = MARGIN;
  const entry = (colour: string, words: string): void => {
    context.fillStyle = palette(colour);
    context.fillRect(left, bottom - 5, 12, 3);
    context.fillStyle = palette('--text-muted');
    context.fillText(words, left + 18, bottom);
    left += 18 + context.measureText(words).width + 18;
  };
  for (const line of legendOf(model)) entry(line.colour, line.words);
}

function legendOf(model: OverviewModel) {
  const [first] = model.charts;
  if (first === undefined) return [];
  if (first.isOverlaid) {
    return model.shown.map(({ index }) => ({ colour: gpuColour(index), words: gpuLabel(index) }));
  }
  return model.charts.flatMap(({ kind }) =>
    kind.second === null
      ? []
      : [
          { colour: kind.colour, words: `${kind.title} ${kind.label}`.trim() },
          { colour: kind.second.colour, words: `${kind.title} ${kind.second.label}` },
        ],
  );
}
