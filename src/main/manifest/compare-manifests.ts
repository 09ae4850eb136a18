import type { ManifestChange, ManifestChanges } from '../../shared/manifest/manifest.ts';
import { partsOf, type RecordParts } from '../../shared/manifest/record.ts';
import { textOfPath } from '../runs/list-text.ts';
import type { Jobs } from '../workers/jobs.ts';
import { recordsIn } from './record-files.ts';

/** A person reads them. */
const MOST_NAMED = 200;

/** Walks both side by side. */
export function compareManifests({
  earlier,
  later,
}: Jobs['compare-manifests']['input']): ManifestChanges {
  const counts = { same: 0, added: 0, gone: 0, changed: 0 };
  const named: ManifestChange[] = [];
  const note = (kind: ManifestChange['kind'], { path }: RecordParts): void => {
    counts[kind] += 1;
    if (named.length >= MOST_NAMED) return;
    named.push({ kind, path: textOfPath(Buffer.from(path, 'latin1')) });
  };
  const [before, after] = [recordsIn(earlier), recordsIn(later)];
  let [old, now] = [before.next(), after.next()];
  while (old.done !== true || now.done !== true) {
    const was = old.done === true ? null : partsOf(old.value);
    const is = now.done === true ? null : partsOf(now.value);
    if (was !== null && (is === null || was.path < is.path)) {
      note('gone', was);
      old = before.next();
    } else if (is !== null && (was === null || is.path < was.path)) {
      note('added', is);
      now = after.next();
    } else {
      if (is !== null && old.value !== now.value) note('changed', is);
      else counts.same += 1;
      [old, now] = [before.next(), after.next()];
    }
  }
  return { ...counts, named };
}
