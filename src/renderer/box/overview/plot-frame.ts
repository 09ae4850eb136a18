/** The edges of a plot in CSS pixels: room for its axes. The canvas and the cursor above it share them. */
export interface PlotFrame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export const LINE_FRAME: PlotFrame = { left: 36, right: 6, top: 6, bottom: 20 };
export const HEAT_FRAME: PlotFrame = { left: 48, right: 58, top: 0, bottom: 20 };
