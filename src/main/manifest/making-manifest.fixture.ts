// A session that begins to make a manifest, tells where, and stands still for whoever kills it there.
import { standStill, tell } from '../storage/disk.fixture.ts';
import { ManifestStore } from './manifest-store.ts';

void new ManifestStore(process.argv[2] ?? '', 'key').fresh().then((folder) => {
  tell(folder);
  standStill();
});
