/** Sharp on the screens of today, also where it is printed. */
const SCALE = 2;
const MARGIN_PX = 16;
const TITLE_PX = 28;
const LEGEND_PX = 28;
const LEGEND_ROW_PX = 20;
const LEGEND_GAP_PX = 16;

interface PictureWords {
  readonly title: string;
  /** The swatch as the legend in the window draws it; null: it has none. */
  readonly legend: readonly {
    readonly label: string;
    readonly swatch: SVGGraphicsElement | null;
  }[];
}

/**
 * A drawn chart as PNG bytes: its shapes painted again on a canvas, as the stylesheet has them. The content security policy lets no
 * picture of the drawing itself be loaded (decision 6). Null: this engine paints none.
 */
export async function paintDrawing(
  drawing: SVGSVGElement,
  { title, legend }: PictureWords,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const { width, height } = drawing.getBoundingClientRect();
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  if (context === null) return null;
  const font = getComputedStyle(document.body).fontFamily;
  const legendFont = `12px ${font}`;
  context.font = legendFont;
  const items = legend.map(({ label, swatch }) => {
    const room = swatch === null ? 0 : (swatch.ownerSVGElement?.viewBox.baseVal.width ?? 0) + 6;
    return { label, swatch, room, widthPx: room + context.measureText(label).width };
  });
  const places = legendPlaces(
    items.map(({ widthPx }) => widthPx),
    width,
  );
  const legendPx = LEGEND_PX + (places.at(-1)?.row ?? 0) * LEGEND_ROW_PX;
  // This also forgets the font.
  canvas.width = SCALE * (width + 2 * MARGIN_PX);
  canvas.height = SCALE * (height + 2 * MARGIN_PX + TITLE_PX + legendPx);
  const styleOf = (element: Element): CSSStyleDeclaration => getComputedStyle(element);
  const page = styleOf(document.documentElement);
  context.scale(SCALE, SCALE);
  context.fillStyle = page.getPropertyValue('--surface').trim();
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = page.getPropertyValue('--text').trim();
  context.font = `600 14px ${font}`;
  context.textBaseline = 'top';
  context.fillText(title, MARGIN_PX, MARGIN_PX, width);
  context.font = legendFont;
  for (const [i, { label, swatch, room }] of items.entries()) {
    const { leftPx, row } = places[i] ?? { leftPx: 0, row: 0 };
    const left = MARGIN_PX + leftPx;
    const top = MARGIN_PX + TITLE_PX + height + 10 + row * LEGEND_ROW_PX;
    if (swatch !== null) {
      context.save();
      context.translate(left, top + 1);
      paintShape(context, swatch, styleOf(swatch));
      context.restore();
    }
    context.fillStyle = page.getPropertyValue('--text').trim();
    // A label that is wider than the picture is made narrower.
    context.fillText(label, left + room, top, width - room);
  }
  context.translate(MARGIN_PX, MARGIN_PX + TITLE_PX);
  for (const shape of drawing.querySelectorAll<SVGGraphicsElement>(
    'path, line, rect, circle, text',
  )) {
    if (shape.closest('defs, [aria-hidden="true"], .recharts-tooltip-cursor') !== null) continue;
    paintShape(context, shape, styleOf(shape));
  }
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
  return blob === null ? null : new Uint8Array(await blob.arrayBuffer());
}

/** Where the parts of a legend stand: side by side, and below each other where a row has no more room. */
export function legendPlaces(
  widthsPx: readonly number[],
  roomPx: number,
): readonly { readonly leftPx: number; readonly row: number }[] {
  let [leftPx, row] = [0, 0];
  return widthsPx.map((widthPx) => {
    if (leftPx > 0 && leftPx + widthPx > roomPx) [leftPx, row] = [0, row + 1];
    const place = { leftPx, row };
    leftPx += widthPx + LEGEND_GAP_PX;
    return place;
  });
}

function paintShape(
  context: CanvasRenderingContext2D,
  shape: SVGGraphicsElement,
  style: CSSStyleDeclaration,
): void {
  const number = (name: string): number => Number(shape.getAttribute(name) ?? 0);
  context.save();
  context.globalAlpha = Number(style.opacity);
  context.lineWidth = Number.parseFloat(style.strokeWidth) || 1;
  context.setLineDash(
    style.strokeDasharray === 'none' ? [] : style.strokeDasharray.split(',').map(Number.parseFloat),
  );
  if (shape instanceof SVGTextElement) {
    const box = shape.getBBox();
    context.fillStyle = style.fill;
    context.font = `${style.fontSize} ${style.fontFamily}`;
    context.textBaseline = 'middle';
    context.fillText(shape.textContent, box.x, box.y + box.height / 2);
  } else {
    const path =
      shape instanceof SVGPathElement ? new Path2D(shape.getAttribute('d') ?? '') : new Path2D();
    if (shape instanceof SVGLineElement) {
      path.moveTo(number('x1'), number('y1'));
      path.lineTo(number('x2'), number('y2'));
    } else if (shape instanceof SVGCircleElement) {
      path.arc(number('cx'), number('cy'), number('r'), 0, 2 * Math.PI);
    } else if (shape instanceof SVGRectElement) {
      path.rect(number('x'), number('y'), number('width'), number('height'));
    }
    if (
      style.fill !== 'none' &&
      !style.fill.startsWith('url') &&
      !(shape instanceof SVGLineElement)
    ) {
      context.fillStyle = style.fill;
      context.fill(path);
    }
    if (style.stroke !== 'none') {
      context.strokeStyle = style.stroke;
      context.stroke(path);
    }
  }
  context.restore();
}
