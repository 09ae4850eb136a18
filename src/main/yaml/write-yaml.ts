import { stringify } from 'yaml';

const MAX_LINE_CHARS = 100;

/** Plain YAML, as `readYaml` reads it: no aliases; null is nothing at all, which a person fills in. */
export function writeYaml(value: unknown): string {
  return stringify(value, {
    lineWidth: MAX_LINE_CHARS,
    nullStr: '',
    aliasDuplicateObjects: false,
  });
}
