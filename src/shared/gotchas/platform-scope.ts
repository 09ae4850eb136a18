import { SHIPPED_PLATFORMS, UNSAID_PLATFORM } from '../profiles/platform-names.ts';
import { severities } from '../detectors/finding.ts';
import { gotchaScopes, type Gotcha, type GotchaScope } from './gotcha.ts';
import { compareIds } from './ids.ts';

/** Platforms that share a place in the catalog, or have two. */
const SCOPES: Readonly<Record<string, readonly GotchaScope[]>> = {
  autodl: ['autodl', 'china'],
  colab: ['notebook'],
  featurize: ['china'],
  gpushare: ['china'],
  kaggle: ['notebook'],
  lanrui: ['china'],
  matpool: ['china'],
};

/** In the catalog. */
export function scopesOf(platform: string): readonly GotchaScope[] {
  if (Object.hasOwn(SCOPES, platform)) return SCOPES[platform] ?? [];
  return gotchaScopes.filter((scope) => scope === platform);
}

/** Where in the catalog what happened on a platform belongs; null: it has no place of its own. */
export function scopeOfPlatform(platform: string): GotchaScope | null {
  // A machine of which nobody said whose it is proves nothing about a platform.
  return platform === UNSAID_PLATFORM ? 'universal' : (scopesOf(platform)[0] ?? null);
}

/** What is known to go wrong on this very platform, the worst first. */
export function trapsOf(platform: string, gotchas: Iterable<Gotcha>): readonly Gotcha[] {
  const scopes = scopesOf(platform);
  return [...gotchas]
    .filter((gotcha) => scopes.includes(gotcha.scope) && isAbout(platform, gotcha))
    .sort(
      (a, b) =>
        severities.indexOf(a.severity) - severities.indexOf(b.severity) || compareIds(a.id, b.id),
    );
}

/** An entry that names platforms, as one about four of them does, is about those. */
function isAbout(platform: string, { title, symptom, cause }: Gotcha): boolean {
  const text = [title, symptom, cause].join(' ');
  const named = Object.entries(SHIPPED_PLATFORMS).filter(
    ([id, name]) => id !== UNSAID_PLATFORM && text.includes(name),
  );
  return named.length === 0 || named.some(([id]) => id === platform);
}
