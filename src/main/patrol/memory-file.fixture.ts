import { becomeOrdinaryUser, tell } from '../storage/disk.fixture.ts';
import { changeMemory } from './memory-file.ts';

// `<data folder> <box id>`: as an ordinary user, keeps a memory in which nothing runs, and prints what came of it as JSON.

const [folder = '', boxId = ''] = process.argv.slice(2);
becomeOrdinaryUser();
const changed = await changeMemory(folder, boxId, (current) =>
  current === null ? null : { ...current, runs: [] },
);
tell(JSON.stringify(changed));
