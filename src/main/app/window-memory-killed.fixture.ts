import { NOTHING_REMEMBERED } from '../../shared/settings/remembered.ts';
import { tell } from '../storage/disk.fixture.ts';
import { openMemoryStore } from './memory-store.ts';

// `<folder>`: writes one memory after the other and tells the number of each once it is kept, until it is killed.

const [, , folder = ''] = process.argv;
const keep = openMemoryStore(folder);
for (let n = 1; ; n += 1) {
  const fleet = { ...NOTHING_REMEMBERED.fleet, collapsed: [String(n), 'x'.repeat(290)] };
  keep({ version: 1, window: null, ...NOTHING_REMEMBERED, fleet });
  tell(n);
}
