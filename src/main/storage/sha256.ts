import { createHash } from 'node:crypto';

/** As lower-case hex digits. */
export const sha256 = (of: string | Uint8Array): string =>
  createHash('sha256').update(of).digest('hex');
