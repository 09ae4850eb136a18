import type { SecretToSend } from '../../../shared/secrets/secret-to-send.ts';
import {
  isSecretPath,
  isVariableName,
  usualSecretPath,
  type SecretConsent,
} from '../../../shared/secrets/sent-secret.ts';

/** What the dialog holds. The secret lives here and in main, and nowhere else in the window. */
export interface SecretValues {
  readonly name: string;
  readonly secret: string;
  /** Empty: the usual place, which follows the name. */
  readonly path: string;
  readonly isToBeKept: boolean;
  /** Send the one that is kept under this name instead of one that is typed. */
  readonly isFromKeyring: boolean;
}

export const EMPTY_SECRET: SecretValues = {
  name: '',
  secret: '',
  path: '',
  isToBeKept: false,
  isFromKeyring: false,
};

/** Where it will be written. */
export function pathOf({ name, path }: SecretValues): string {
  if (path !== '') return path;
  return name === '' ? '' : usualSecretPath(name);
}

export function nameError({ name }: SecretValues): string | null {
  if (name === '' || isVariableName(name)) return null;
  return 'Letters, digits and underscores, not a digit first: this is the name of a variable.';
}

export function pathError({ path }: SecretValues): string | null {
  if (path === '' || isSecretPath(path)) return null;
  return 'Begin with ~/ or /; letters, digits and . _ - + @ , = only, and no “..”.';
}

/** Said, not refused: some secrets do end in a blank, most were copied with one too many. */
export function secretHint({ secret }: SecretValues): string | undefined {
  return secret !== '' && secret.trim() !== secret
    ? 'It begins or ends with a blank, which will be part of it.'
    : undefined;
}

export function isReady(values: SecretValues): boolean {
  const { name, secret, isFromKeyring } = values;
  return (
    name !== '' &&
    (isFromKeyring || secret !== '') &&
    nameError(values) === null &&
    pathError(values) === null
  );
}

export function toRequest(values: SecretValues, consents: readonly SecretConsent[]): SecretToSend {
  const { name, secret, isToBeKept, isFromKeyring } = values;
  return {
    name,
    path: pathOf(values),
    source: isFromKeyring ? { kind: 'kept' } : { kind: 'typed', value: secret, isToBeKept },
    consents,
  };
}
