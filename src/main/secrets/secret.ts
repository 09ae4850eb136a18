import { inspect } from 'node:util';
import { REDACTED } from '../../shared/secrets/redact-text.ts';

/**
 * A value that must not end up anywhere by accident: printed, logged, turned into JSON or into a text, it shows as
 * redacted. Only `reveal` gives it away, which is easy to search for.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
    Object.freeze(this);
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }

  [inspect.custom](): string {
    return REDACTED;
  }
}
