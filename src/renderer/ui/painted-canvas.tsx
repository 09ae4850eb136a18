import { useLayoutEffect, useRef, useState } from 'react';
import { paintNoMore, paintSoon } from './paint-queue.ts';
import { usePalette, type Palette } from './palette.ts';

export interface Painting {
  readonly context: CanvasRenderingContext2D;
  readonly width: number;
  readonly height: number;
  readonly palette: Palette;
}

export type Paint = (painting: Painting) => void;

/** A canvas that fills its parent: painted at once in a new size or theme, and soon when `paint` is another function. */
export function PaintedCanvas({
  paint,
  className,
}: {
  readonly paint: Paint;
  readonly className?: string | undefined;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  const palette = usePalette();
  /** What the picture on the canvas was painted for. */
  const shown = useRef<{ size: typeof size; palette: Palette | null }>({ size, palette: null });

  useLayoutEffect(() => {
    const element = canvas.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry === undefined) return;
      const { width, height } = entry.contentRect;
      setSize({ width, height });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      paintNoMore(element);
    };
  }, []);

  useLayoutEffect(() => {
    const element = canvas.current;
    if (element === null || size === null) return;
    const paintNow = (): void =>
      paintCanvas(element, size, devicePixelRatio, (context) =>
        paint({ context, ...size, palette }),
      );
    const { size: paintedSize, palette: paintedPalette } = shown.current;
    if (paintedSize === size && paintedPalette === palette) {
      paintSoon(element, paintNow);
      return;
    }
    shown.current = { size, palette };
    paintNoMore(element);
    paintNow();
  }, [paint, size, palette]);

  return <canvas ref={canvas} className={className} aria-hidden="true" />;
}

/** Clears a canvas and paints it with lengths in CSS pixels, sharp on any screen. */
export function paintCanvas(
  canvas: HTMLCanvasElement,
  { width, height }: { readonly width: number; readonly height: number },
  pixelRatio: number,
  paint: (context: CanvasRenderingContext2D) => void,
): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  const [columns, rows] = [Math.round(width * pixelRatio), Math.round(height * pixelRatio)];
  // Giving a canvas its size throws its memory away, so only when it is another one.
  if (canvas.width !== columns || canvas.height !== rows) {
    canvas.width = columns;
    canvas.height = rows;
  }
  context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
  context.clearRect(0, 0, width, height);
  paint(context);
}
