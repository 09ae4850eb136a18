// Addresses that let whoever has them read or write a file, for a time, without a key. In the words of the object stores.
import { decodeBase64 } from '../boxes/known-hosts/base64.ts';

/** What stands behind the “?” of an address, up to where a shell's next word may begin; a text that begins with one is no address. */
const QUERY = /(?<=[^\s"'=])\?[^\s"'`;|,)<>]*/g;

/** Each of them signs for a few days at most, by a signature of its own kind … */
const OWN_SIGNATURE = /^\??X-(?:Amz|Goog|OSS|OBS|TOS)-Signature=./i;
/** … or by one that says beside it until when. Without that it is a key. */
const SIGNATURE = /^\??(?:Signature|sig|q-signature)=./i;
const UNTIL = /^\??(Expires|Policy|se|q-sign-time)=(.*?)\\?$/i;
/** What such a signature is about. */
const SIGNED_PART =
  /^(\??(?:X-(?:Amz|Goog|OSS|OBS|TOS)-[\w-]{1,40}|Signature|sig|Policy|Key-Pair-Id|\w{0,8}AccessKeyId|GoogleAccessId|security-?token|q-[\w-]{1,20})=).+/i;

/** One that lasts longer is as good as a key (chosen for Leasehold). */
const LONGEST_MS = 30 * 24 * 60 * 60_000;

export function holdsSignedAddress(text: string, nowMs: number): boolean {
  return (text.match(QUERY) ?? []).some((query) => isSigned(query, nowMs));
}

/** Without what signs the addresses in it. Whatever else stands in them stays. */
export function withoutSignatures(text: string, nowMs: number): string {
  return text.replace(QUERY, (query) =>
    isSigned(query, nowMs)
      ? query
          .split('&')
          .map((part) => part.replace(SIGNED_PART, '$1'))
          .join('&')
      : query,
  );
}

function isSigned(query: string, nowMs: number): boolean {
  const parts = query.split('&');
  if (parts.some((part) => OWN_SIGNATURE.test(part))) return true;
  if (!parts.some((part) => SIGNATURE.test(part))) return false;
  const ends = parts.flatMap((part) => {
    const [, name, until] = UNTIL.exec(part) ?? [];
    return name === undefined || until === undefined ? [] : [endOf(name, withoutPercent(until))];
  });
  // One that cannot be read may be as far away as any.
  return ends.length > 0 && ends.every((atMs) => atMs !== null && atMs <= nowMs + LONGEST_MS);
}

/** Until when it is signed, by the part that says so; null: that cannot be read. */
function endOf(name: string, until: string): number | null {
  switch (name.toLowerCase()) {
    case 'expires':
      return secondsIn(/^(\d{1,12})$/, until);
    case 'q-sign-time':
      return secondsIn(/^\d{1,12};(\d{1,12})$/, until);
    case 'policy':
      return secondsIn(
        /"DateLessThan"\s*:\s*\{\s*"AWS:EpochTime"\s*:\s*(\d{1,12})\b/,
        ofPolicy(until),
      );
    default: {
      const atMs = /^\d{4}-\d\d-\d\d(?:T[\d:.]{4,20}Z?)?$/.test(until) ? Date.parse(until) : NaN;
      return Number.isNaN(atMs) ? null : atMs;
    }
  }
}

function secondsIn(pattern: RegExp, text: string): number | null {
  const [, seconds] = pattern.exec(text) ?? [];
  return seconds === undefined ? null : Number(seconds) * 1000;
}

/** A policy is base64, with other signs for those that an address has a meaning for. */
function ofPolicy(policy: string): string {
  const bytes = decodeBase64(policy.replaceAll('-', '+').replaceAll('_', '=').replaceAll('~', '/'));
  return Array.from(bytes ?? [], (byte) => String.fromCharCode(byte)).join('');
}

/** As it reads without the percent signs of an address. What is no such sign stays. */
export function withoutPercent(text: string): string {
  return text.replace(/%([2-7][0-9a-f])/gi, (_sign, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
