import { MAX_YAML_BYTES } from '../yaml/read-folder.ts';
import { composeYaml } from '../yaml/compose-yaml.ts';
import type { ByteSource } from './byte-source.ts';
import { plural } from './plural.ts';
import { Damaged, NotLoadable } from './damage.ts';
import type { Format, Reading } from './reading.ts';
import { decodeText } from './utf8.ts';

export const yaml: Format = { name: 'yaml', ends: /\.ya?ml$/i, open: openYaml };

/** As of settings: a longer one is data, of which what is made takes several hundred times its length. */
function openYaml({ sizeBytes }: ByteSource): Reading {
  if (sizeBytes > MAX_YAML_BYTES) {
    return { take: () => undefined, end: () => ({ kind: 'no-reader' }) };
  }
  const whole = new Uint8Array(sizeBytes);
  return {
    take: (piece, at) => whole.set(piece, at),
    end: () => ({ kind: 'loaded', format: 'yaml', holds: holdsOf(decodeText(whole)) }),
  };
}

/** What may not stand in any YAML, not even between quotes (5.1). */
const UNPRINTABLE = /[^\t\n\r\x20-\x7e\x85\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

function holdsOf(text: string): string {
  const sign = text.search(UNPRINTABLE);
  if (sign >= 0) {
    throw new Damaged(
      `it is no valid YAML in line ${String(text.slice(0, sign).split('\n').length)}`,
    );
  }
  const found = composeYaml(text);
  if (!found.ok) {
    if (found.error.kind === 'too deep') {
      throw new NotLoadable('it is nested deeper than Leasehold reads');
    }
    throw new Damaged(`it is no valid YAML in line ${String(found.error.line)}`);
  }
  const [only, ...more] = found.value;
  if (only === undefined) return 'nothing';
  if (more.length > 0) return plural(found.value.length, 'document');
  if (only.kind === 'value') return 'one value';
  return only.kind === 'list' ? `a list of ${String(only.parts)}` : plural(only.parts, 'field');
}
