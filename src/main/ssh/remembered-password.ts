import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Box } from '../../shared/boxes/box.ts';
import { parseJson } from '../../shared/salvage.ts';

const server = z.strictObject({
  user: z.string(),
  host: z.string(),
  port: z.int(),
  /** A digest of the way there: a jump host's own command or name is nobody's business in a question. */
  route: z.string(),
  /** SHA256:…, as OpenSSH prints it. */
  hostKey: z.string(),
});

/** What a password belongs to: an account on one machine, which proves with its key that it is the one. */
export type PasswordServer = z.infer<typeof server>;

const remembered = z.strictObject({ password: z.string().min(1), server });

/** A password and the only server that may have it. */
export type RememberedPassword = z.infer<typeof remembered>;

export function serverOf(
  { id, address: { user, host, port }, route }: Pick<Box, 'id' | 'address' | 'route'>,
  hostKey: string,
): PasswordServer {
  // A jump host's id is its place on the way. Which of the person's keys opens a jump host does not change who is asked.
  const way = route.kind === 'jumps' ? route.hops.map(({ address }) => address) : route;
  const digest = createHash('sha256')
    .update(JSON.stringify([id, way]))
    .digest('hex');
  return { user, host: host.toLowerCase(), port, route: digest.slice(0, 32), hostKey };
}

export function isSameServer(one: PasswordServer, other: PasswordServer): boolean {
  return (
    one.user === other.user &&
    one.host === other.host &&
    one.port === other.port &&
    one.route === other.route &&
    one.hostKey === other.hostKey
  );
}

/** Why a password that is remembered is not sent, for the person who is asked instead. */
export function whyNotSent(kept: PasswordServer | null, now: PasswordServer): string {
  if (kept === null) {
    return 'A password was kept by an earlier Leasehold, which did not note for which server. It was not sent.';
  }
  const { user, host, port, hostKey } = kept;
  const isByOtherWay = isSameServer({ ...kept, route: now.route }, now);
  const way = isByOtherWay ? ', when it was reached by another route' : '';
  return `A password is remembered for ${user}@${host} port ${port}, key ${hostKey}${way}. It was not sent.`;
}

export function renderRemembered(value: RememberedPassword): string {
  return JSON.stringify(value);
}

/** Null: kept by a version that noted the password alone. */
export function readRemembered(text: string): RememberedPassword | null {
  return remembered.safeParse(parseJson(text)).data ?? null;
}
