import { expect, it, onTestFinished } from 'vitest';
import { onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { shippedWatched } from '../profiles/profiles.fixture.ts';
import { startAnswering } from './hostile-answers.fixture.ts';
import { openTo } from './hostile-meeting.fixture.ts';
import { HOSTILE_READERS, STILL_HERE } from './hostile-readers.fixture.ts';

const BESIDE = { ...shippedWatched(null), isGpuWorking: null };
/** A megabyte of the flood comes between two calls at least. */
const BLOCKS = 32;

// A flood without end: whatever waited for it would never be answered. How long a call takes meanwhile is for the bench.
it.each(['the stream of the GPUs', 'a log that is followed'] as const)(
  'a flood on %s makes neither calls of its own box wait nor those of others',
  async (name) => {
    let blocks = 0;
    let wake: () => void = () => undefined;
    const onBlock = (): void => {
      blocks += 1;
      wake();
    };
    const flood = { most: 0, blocks: Infinity, onBlock };
    const links = [];
    for (const bounds of [flood, { most: 0, blocks: 1 }]) {
      const { port, stop } = await startAnswering(name, 'lines without end', bounds);
      const opened = await openTo(port);
      if (!opened.ok) throw new Error(opened.error.message);
      onTestFinished(() => {
        opened.value.close();
        return stop();
      });
      links.push(opened.value);
    }
    const [connection, other] = links;
    if (connection === undefined || other === undefined) throw new Error('no links');
    let isOver = false;
    // With its link it is over, and tells nobody.
    void HOSTILE_READERS[name]
      .read({ connection, scripts: onboxScripts, beside: BESIDE })
      .then(() => (isOver = true));
    for (let call = 1; call <= 4; call += 1) {
      while (blocks < call * BLOCKS) await new Promise<void>((resolve) => (wake = resolve));
      for (const asked of [connection, other]) {
        const answer = await asked.run('true');
        expect(answer).toMatchObject({ ok: true, value: { stdout: `${STILL_HERE}\n` } });
      }
    }
    expect(isOver).toBe(false);
  },
);
