/** Whether a figure is the number that stands in a file, at the precision in which the figure is written. */
export type FigureVerdict = 'equal' | 'rounded' | 'differs';

/** Each length is bounded: a figure is compared exactly, whatever a file claims. */
const DECIMAL = /^([-+]?)(\d{0,40})(?:\.(\d{0,40}))?(?:[eE]([-+]?\d{1,4}))?$/;

interface Decimal {
  readonly digits: bigint;
  /** Of the last digit, as a power of ten. */
  readonly unit: number;
}

/** Whether a text is a number as it is reported: `0.913`, `91.3 %`, `1.2e-3`. */
export const isFigure = (text: string): boolean => figureOf(text) !== null;

/** @param literal As it stands in the file; NaN and infinity are no figure's equal. */
export function compareFigures(reported: string, literal: string): FigureVerdict {
  const [said, stands] = [figureOf(reported), decimalOf(literal)];
  if (said === null || stands === null) return 'differs';
  const unit = Math.min(said.unit, stands.unit);
  const one = scaled({ digits: said.digits, unit: said.unit }, unit);
  const other = scaled(stands, unit);
  if (one === other) return 'equal';
  const apart = one > other ? one - other : other - one;
  // Half of its last place is what rounding takes away; a number just between two figures may be told as either.
  return 2n * apart <= scaled({ digits: 1n, unit: said.unit }, unit) ? 'rounded' : 'differs';
}

const scaled = ({ digits, unit }: Decimal, to: number): bigint => digits * 10n ** BigInt(unit - to);

function figureOf(text: string): Decimal | null {
  const bare = text.trim();
  const isPercent = bare.endsWith('%');
  const said = decimalOf(isPercent ? bare.slice(0, -1).trimEnd() : bare);
  return said === null || !isPercent ? said : { ...said, unit: said.unit - 2 };
}

function decimalOf(text: string): Decimal | null {
  const [found, sign, whole = '', fraction = '', power = '0'] = DECIMAL.exec(text) ?? [];
  if (found === undefined || whole + fraction === '') return null;
  const digits = BigInt(whole + fraction);
  return { digits: sign === '-' ? -digits : digits, unit: Number(power) - fraction.length };
}
