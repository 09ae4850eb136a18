import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Profile } from '../../shared/profiles/profile.ts';
import { checkProfile, readProfileText } from './check-profile.ts';

export const SHIPPED = fileURLToPath(new URL('../../../profiles/', import.meta.url));

export const SHIPPED_IDS = [
  'autodl',
  'colab',
  'featurize',
  'generic-ssh',
  'gpushare',
  'kaggle',
  'kubernetes',
  'lambda',
  'lanrui',
  'matpool',
  'paperspace',
  'runpod',
  'slurm',
  'vastai',
] as const;
export type ShippedId = (typeof SHIPPED_IDS)[number];

/** A profile exactly as it ships. */
export function shippedProfile(id: ShippedId): Profile {
  const file = `${SHIPPED}${id}.yaml`;
  const text = readProfileText(file, readFileSync(file, 'utf8'));
  const checked = text.ok ? checkProfile(text.value) : text;
  if (!checked.ok) throw new Error(JSON.stringify(checked.error));
  return checked.value;
}
