import { formatNumber } from '../../../../ui/format.ts';

/** A figure of which nobody says how large it gets: four digits that count. */
export function formatFigure(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  const size = Math.abs(value);
  if (value !== 0 && (size < 1e-3 || size >= 1e7)) {
    return value
      .toExponential(2)
      .replace('-', '−')
      .replace('e+', 'e')
      .replace(/\.?0+e/, 'e');
  }
  if (size >= 1000) return formatNumber(value);
  return String(Number(value.toPrecision(4))).replace('-', '−');
}
