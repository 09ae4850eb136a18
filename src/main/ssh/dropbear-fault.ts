import type { Client } from 'ssh2';

/** What a server calls itself; ssh2 keeps it to itself. */
interface Internals {
  readonly _remoteVer: string | undefined;
}

/**
 * Dropbear from 2022.82 to 2024.85: where a program ends just as another session is opened on its connection, that session is closed
 * before anything was asked of it, or the whole connection ends over an assertion (its issues 173 and 321). Seen on a busy machine with one
 * of ten launches. One that keeps its version to itself may be one of them.
 */
export function endsCloseOthers(client: Client): boolean {
  const { _remoteVer: software = '' } = client as unknown as Internals;
  if (!/^dropbear/i.test(software)) return false;
  const [, year, number] = /^dropbear_(\d{1,4})\.(\d{1,3})/i.exec(software) ?? [];
  if (year === undefined) return true;
  const version = Number(year) * 1000 + Number(number);
  return version >= 2_022_082 && version <= 2_024_085;
}
