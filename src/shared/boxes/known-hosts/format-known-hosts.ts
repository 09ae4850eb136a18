/** A key that is trusted now, and where its machine was last met. */
export interface TrustedMachine {
  readonly host: string;
  readonly port: number;
  readonly type: string;
  readonly publicKey: string;
  /** When it was trusted or last seen, whichever is later. */
  readonly atMs: number;
}

const HEADER = [
  '# Written by Leasehold from its database: the host keys that you trust in it.',
  '# Changes made here are lost. ssh -o UserKnownHostsFile=<this file> uses it.',
];

// A pattern, a marker or a list in place of a name would trust the key for other hosts than this one.
const PLAIN_HOST = /^[\p{L}\p{N}._:%-]+$/u;

/** A known_hosts file for system OpenSSH. */
export function formatKnownHosts(machines: readonly TrustedMachine[]): string {
  const newest = new Map<string, TrustedMachine>();
  for (const machine of machines) {
    if (!PLAIN_HOST.test(machine.host)) continue;
    // Two boxes at one address are one machine: of two keys of one type the later is the one it has.
    const key = `${nameOf(machine)} ${machine.type}`;
    const known = newest.get(key);
    if (known === undefined || known.atMs < machine.atMs) newest.set(key, machine);
  }
  const lines = [...newest.values()].map(
    (machine) => `${nameOf(machine)} ${machine.type} ${machine.publicKey}`,
  );
  return [...HEADER, ...lines.sort(), ''].join('\n');
}

function nameOf({ host, port }: TrustedMachine): string {
  const name = host.toLowerCase();
  return port === 22 ? name : `[${name}]:${port}`;
}
