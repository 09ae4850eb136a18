import type { Box } from '../../shared/boxes/box.ts';
import { variableOfToken } from '../../shared/secrets/sent-secret.ts';

/** What a secret's name stands for, in words; main's names begin with what the secret is (src/main/ssh/secret-names.ts). */
export function secretWords(name: string, boxes: readonly Box[]): string {
  const [kind, what = '', mark] = name.split(':');
  if (kind === 'password') {
    const box = boxes.find(({ id }) => id === what);
    return box === undefined
      ? 'Password of a box that is not in the list'
      : `Password of ${box.name}`;
  }
  if (kind === 'passphrase' && mark !== undefined) return `Passphrase of the key ${what}`;
  if (kind === 'webhook') return 'Address of the webhook, and its access token';
  if (kind === 'push') return 'Address that boxes tell the end of a run, and its access token';
  const variable = variableOfToken(name);
  return variable === null ? name : `${variable}, to be sent to boxes`;
}
