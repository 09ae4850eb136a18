import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { Sink } from './cli.fixture.ts';
import { OutputClosed, Writer } from './writer.ts';

/** A reader that takes one piece each time it is told to. */
class SlowReader extends Writable {
  readonly #waiting: (() => void)[] = [];

  constructor() {
    super({ highWaterMark: 10 });
  }

  override _write(_: Buffer, __: BufferEncoding, done: () => void): void {
    this.#waiting.push(done);
  }

  takeOne(): void {
    this.#waiting.shift()?.();
  }
}

describe('Writer', () => {
  it('escapes every line and ends it', async () => {
    const sink = new Sink();
    const writer = new Writer(sink);
    await writer.lines(['a\x1b[2Jb', 'c\nd']);
    await writer.line();
    await writer.json({ x: '\x9b' });
    await writer.jsonLine([1, 2]);
    await writer.flush();
    expect(sink.text).toBe('a\\x1b[2Jb\nc\\x0ad\n\n{\n  "x": "\\u009b"\n}\n[1,2]\n');
  });

  it('waits for a slow reader instead of piling up', async () => {
    const reader = new SlowReader();
    const writer = new Writer(reader);
    let isWritten = false;
    const writing = writer.line('more than ten characters').then(() => (isWritten = true));
    await Promise.resolve();
    expect(isWritten).toBe(false);
    reader.takeOne();
    await writing;
    expect(isWritten).toBe(true);
  });

  it('ends the work when the reader has gone', async () => {
    const gone = new Writable({
      write: (_, __, done) => done(Object.assign(new Error('broken pipe'), { code: 'EPIPE' })),
    });
    const writer = new Writer(gone);
    const work = async (): Promise<void> => {
      for (;;) {
        await writer.line('row');
        await new Promise(setImmediate); // the error arrives as an event
      }
    };
    await expect(work()).rejects.toBeInstanceOf(OutputClosed);
    await expect(writer.line('again')).rejects.toBeInstanceOf(OutputClosed);
  });

  it('reports any other failure as it is', async () => {
    const broken = new Writable({ write: (_, __, done) => done(new Error('disk on fire')) });
    const writer = new Writer(broken);
    const work = async (): Promise<void> => {
      await writer.line('row');
      await writer.flush();
    };
    await expect(work()).rejects.toThrow('disk on fire');
  });
});
