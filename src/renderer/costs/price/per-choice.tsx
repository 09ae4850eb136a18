import { Segmented } from '../../ui/segmented.tsx';
import type { PricePer } from './price-form.ts';

const PER = [
  { value: 'box', label: 'whole box' },
  { value: 'gpu', label: 'per GPU' },
] as const satisfies readonly { readonly value: PricePer; readonly label: string }[];

interface PerChoiceProps {
  readonly per: PricePer;
  readonly onPer: (per: PricePer) => void;
}

/** Providers name a price for the box or for each of its GPUs. */
export function PerChoice({ per, onPer }: PerChoiceProps) {
  return <Segmented label="What the price is for" options={PER} value={per} onChange={onPer} />;
}
