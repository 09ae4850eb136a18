import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Catalog } from '../../shared/detectors/alert-words.ts';
import type { Gotcha } from '../../shared/gotchas/gotcha.ts';
import { checkGotchas } from './check-gotchas.ts';

export const SHIPPED_GOTCHAS = fileURLToPath(
  new URL('../../../resources/gotchas/', import.meta.url),
);

/** The catalog exactly as it ships. */
export function shippedGotchas(): readonly Gotcha[] {
  return readdirSync(SHIPPED_GOTCHAS).flatMap((name) => {
    const checked = checkGotchas(name, readFileSync(`${SHIPPED_GOTCHAS}${name}`, 'utf8'));
    if (!checked.ok) throw new Error(JSON.stringify(checked.error));
    return checked.value.entries;
  });
}

let catalog: Catalog | null = null;

/** The same by its ids, read once. */
export function shippedCatalog(): Catalog {
  catalog ??= new Map(shippedGotchas().map((entry) => [entry.id, entry]));
  return catalog;
}

const PASTES = fileURLToPath(new URL('../../shared/gotchas/samples/', import.meta.url));

export interface LabelledText {
  readonly name: string;
  /** The entry that it is about; null: none. */
  readonly expected: string | null;
  readonly text: string;
}

/** Texts as people paste and type them, each named by the entry that it is about. */
export function labelledTexts(): readonly LabelledText[] {
  return readdirSync(PASTES)
    .sort()
    .map((name) => {
      const id = name.split('--')[0] ?? '';
      return {
        name,
        expected: id === 'none' ? null : id,
        text: readFileSync(`${PASTES}${name}`, 'utf8'),
      };
    });
}
