import { tell } from './disk.fixture.ts';
import { replaceFile } from './atomic-file.ts';

// Replaces one file over and over and tells each number once it is saved. Ends when it is killed.

const [file = ''] = process.argv.slice(2);

for (let n = 1; ; n += 1) {
  await replaceFile(file, `${JSON.stringify({ n, padding: 'x'.repeat((n * 997) % 20_000) })}\n`);
  tell(n);
}
