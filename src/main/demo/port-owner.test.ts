import { expect, it } from 'vitest';
import { findListeners } from './port-owner.ts';

// Columns as Linux prints them in /proc/net/tcp and tcp6.
const TABLE = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 41001 1 0000000000000000 100 0 0 10 0
   1: 0100007F:1F90 0100007F:D431 01 00000000:00000000 00:00000000 00000000  1000        0 41002 1 0000000000000000 20 4 30 10 -1
   2: 00000000000000000000000001000000:01F9 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000 0 0 41003 1 0000000000000000 100 0 0 10 0
`;

it('finds listening sockets of a port, not its connections and not longer numbers', () => {
  expect(findListeners(TABLE, 8080)).toEqual(['socket:[41001]']);
  expect(findListeners(TABLE, 505)).toEqual(['socket:[41003]']);
  expect(findListeners(TABLE, 80)).toEqual([]);
});
