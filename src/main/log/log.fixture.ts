import { becomeOrdinaryUser, tell } from '../storage/disk.fixture.ts';
import { createLog } from './log.ts';

// `write <folder>`: writes numbered entries and tells each number afterwards, until it is killed.
// `fatal <folder>`: writes one last entry and ends at once, without any exit handler.
// `try <folder>`: as an ordinary user, writes two entries and prints the problems that were told, as JSON.

const [task, folder = ''] = process.argv.slice(2);

if (task === 'try') becomeOrdinaryUser();
const problems: unknown[] = [];
const log = createLog({
  folder,
  level: 'debug',
  maxBytes: 4096,
  onWriteFailure: (found) => problems.push(found),
});

if (task === 'write') {
  for (let n = 1; ; n += 1) {
    log.info(`entry of kind ${String(n % 20)}`, { n });
    tell(n);
  }
} else if (task === 'fatal') {
  log.fatal('the end', { cause: new Error('why') });
  process.kill(process.pid, 'SIGKILL');
} else {
  log.info('one');
  log.info('two');
  setImmediate(() => tell(JSON.stringify(problems)));
}
