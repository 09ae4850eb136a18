import { becomeOrdinaryUser, tell } from './disk.fixture.ts';
import { openSettings } from './settings.ts';

// `write <folder>`: saves one change after the other and tells each once it is saved, until it is killed.
// `try <folder>`: as an ordinary user, opens, changes, and prints what came of both as JSON.

const [task, folder = ''] = process.argv.slice(2);

if (task === 'write') {
  const { store } = await openSettings(folder);
  for (let n = 0; ; n += 1) {
    const changed = await store.change({ demo: { gpuCount: (n % 8) + 1 } });
    if (!changed.ok) throw new Error(changed.error.message);
    tell(changed.value.demo.gpuCount);
  }
} else {
  becomeOrdinaryUser();
  const { store, problems } = await openSettings(folder);
  const opened = store.current();
  const changed = await store.change({ theme: 'light' });
  const tried = { problems, opened, changed, after: store.current() };
  tell(JSON.stringify(tried));
}
