import { samples } from '../../shared/news/news.fixture.ts';
import { openDatabase } from '../storage/database.ts';
import { tell } from '../storage/disk.fixture.ts';
import { NewsQueue } from './news-queue.ts';

// `<folder> <heard>`: keeps news of every kind and tells it, until so many were heard (0: before anybody listens). There it stops, says
// so, and waits to be killed.

const [, , folder = '', heard] = process.argv;
const { database } = openDatabase({ folder });
const queue = new NewsQueue({
  entries: database.entries,
  redact: (text) => text,
  onProblem: ({ message }) => {
    throw new Error(message);
  },
});
for (const { tellTo } of Object.values(samples)) tellTo(queue);

let left = Number(heard);
function hear(): void {
  left -= 1;
  if (left <= 0) stop();
}
function stop(): never {
  tell('now');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  throw new Error('nobody ended it');
}
if (left === 0) stop();
queue.listen({ notification: hear, tray: hear, webhook: hear, log: hear, history: hear });
