import { plainLine } from '../questions/hostile-text.ts';
import type { ListeningPort, ListeningPorts } from '../tunnels/listening.ts';

const ROW = /^L (\d{1,5}) ([0-9A-F]{8}|[0-9A-F]{32}) (.{0,64})$/;
const MAX_NAME_CHARS = 40;
/** As many as the script tells. */
const MAX_PORTS = 200;

/** Reads what resources/onbox/listening-ports.sh prints. A port that listens at several addresses is one. */
export function parseListeningPorts(stdout: string): ListeningPorts {
  const found = new Map<number, ListeningPort>();
  let unreadable = 0;
  let isTold = true;
  let isCut = false;
  for (const line of stdout.split('\n')) {
    if (line === '') continue;
    if (line === 'M') {
      isCut = true;
      continue;
    }
    if (line === 'X') {
      isTold = false;
      continue;
    }
    const [, digits = '', address = '', name = ''] = ROW.exec(line) ?? [];
    const port = Number(digits);
    if (address === '' || port < 1 || port > 65_535) {
      unreadable += 1;
      continue;
    }
    const known = found.get(port);
    if (known === undefined && found.size === MAX_PORTS) {
      isCut = true;
      continue;
    }
    found.set(port, {
      port,
      program: known?.program ?? (name === '' ? null : plainLine(name, MAX_NAME_CHARS)),
      host: betterHost(known?.host, hostOf(address)),
    });
  }
  const ports = [...found.values()].sort((a, b) => a.port - b.port);
  return { ports: isTold ? ports : null, isCut, unreadable };
}

const HERE = '127.0.0.1';

/** In words of four bytes, each the lowest byte first. What listens at every address does so at 127.0.0.1, too. */
function hostOf(address: string): string {
  if (/^0+$/.test(address)) return HERE;
  const bytes = (address.match(/.{8}/g) ?? []).flatMap((word) =>
    (word.match(/../g) ?? []).reverse().map((byte) => parseInt(byte, 16)),
  );
  const isMapped = address.startsWith('0000000000000000FFFF0000');
  if (bytes.length === 4 || isMapped) return bytes.slice(-4).join('.');
  const groups = bytes.flatMap((byte, i) =>
    i % 2 === 0 ? [(byte * 256 + (bytes[i + 1] ?? 0)).toString(16)] : [],
  );
  return groups.join(':').replace(/(?:^|:)0(?::0)+(?::|$)/, '::');
}

/** Of several addresses the one that every tunnel takes first. */
function betterHost(known: string | undefined, next: string): string {
  return known === undefined || rankOf(next) < rankOf(known) ? next : known;
}

function rankOf(host: string): number {
  if (host === HERE) return 0;
  if (host.startsWith('127.')) return 1;
  return host === '::1' ? 2 : 3;
}
