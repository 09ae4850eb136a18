import { expect, it } from 'vitest';
import { NO_REFUSALS } from '../../shared/telemetry/source-plan.ts';
import { newBox } from '../storage/boxes.fixture.ts';
import { openTemporaryDatabase } from '../storage/database.ts';
import { LocalClock } from './local-clock.ts';
import { RefusalMemory } from './refusal-memory.ts';

const gpu = (driverVersion: string) => ({
  index: 0,
  uuid: 'GPU-a',
  name: 'T4',
  driverVersion,
  memoryTotalMiB: null,
  powerLimitW: null,
  maxSmClockMHz: null,
});

it('a refusal is remembered for its driver, across sessions, and asked anew of another', () => {
  const database = openTemporaryDatabase();
  const box = newBox(1);
  database.boxes.add(box);
  const open = (): RefusalMemory =>
    new RefusalMemory(box.id, {
      read: (id, driver) => {
        const read = database.refusals.read(id, driver);
        return read.ok ? read.value : null;
      },
      write: (id, driver, refusals) => void database.refusals.write(id, driver, refusals),
    });
  const first = open();
  // Learnt before the box has said which driver it has.
  first.keep({ ...NO_REFUSALS, letters: ['v'] });
  first.isFor([gpu('525')]);
  first.keep({ ...first.current, fields: ['utilization.ofa'] });

  const second = open();
  expect(second.current).toEqual(NO_REFUSALS);
  second.isFor([gpu('525')]);
  expect(second.current).toMatchObject({ letters: ['v'], fields: ['utilization.ofa'] });
  second.isFor([gpu('580')]);
  expect(second.current).toEqual(NO_REFUSALS);
  second.isFor([]);
  expect(second.current).toEqual(NO_REFUSALS);
  expect(database.refusals.write('not-a-box', 'x', NO_REFUSALS).ok).toBe(true);
  database.close();
});

it('a clock that was set, or a sleep, shows as a jump once; a busy second does not', () => {
  const time = { now: 1000, monotonic: 0 };
  const clock = new LocalClock({ now: () => time.now, monotonic: () => time.monotonic });
  time.now += 60_000;
  time.monotonic += 58_000;
  expect(clock.jumpMs()).toBe(0);
  time.now += 3_600_000;
  time.monotonic += 1000;
  expect(clock.jumpMs()).toBe(3_599_000);
  expect(clock.jumpMs()).toBe(0);
  time.now -= 30_000;
  expect(clock.jumpMs()).toBe(-30_000);
});
