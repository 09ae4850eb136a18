import { expect, it } from 'vitest';
import { DmonReader } from './dmon.ts';
import { MAX_BOX_GPUS } from '../telemetry/gpu-facts.ts';
import { QueryLoopReader } from './query-loop.ts';

const cards = Array.from({ length: 100 }, (_, at) => String(at));
const told = {
  dmon: `# gpu   pwr  temp    sm\n# Idx     W     C     %\n${cards.map((card) => `${card} 59 72 100\n`).join('')}`,
  'the looped query': `index, utilization.gpu [%]\n${cards.map((card) => `${card}, 5 %\n`).join('')}`,
};

it.each(['dmon', 'the looped query'] as const)(
  'of more cards than any machine has, %s tells no figures, and each row as one that cannot be read',
  (name) => {
    const reader = name === 'dmon' ? new DmonReader() : new QueryLoopReader();
    const { readings, unreadable, unreadableCount } = reader.push(told[name]);
    expect(readings).toHaveLength(MAX_BOX_GPUS);
    expect([unreadableCount, unreadable[0]]).toEqual([100 - MAX_BOX_GPUS, 'GPU 64']);
  },
);
