import { expect, it } from 'vitest';
import type { Box } from '../boxes/box.ts';
import { USUAL_WAY } from '../boxes/usual-way.ts';
import { EMPTY_FLEET, fleetStream, untouchedEntry } from './fleet-stream.ts';

const box = (id: string, platform = 'generic-ssh'): Box => ({
  ...{ id, name: id, platform, tags: [], addedAtMs: 0, ...USUAL_WAY },
  address: { host: 'host.example', port: 22, user: 'root' },
});
const orderOf = (...boxes: readonly Box[]) =>
  boxes
    .map((each) => ({ kind: 'put' as const, entry: untouchedEntry(each) }))
    .reduce(fleetStream.apply, EMPTY_FLEET)
    .entries.map(({ box: { id } }) => id);

it('keeps the order of the boxes at each start, whenever the demo box comes', () => {
  const [a, b, demo] = [box('a'), box('b'), box('demo', 'demo')];
  expect(orderOf(demo, a, b)).toEqual(['a', 'b', 'demo']);
  expect(orderOf(a, b, demo)).toEqual(['a', 'b', 'demo']);
  expect(orderOf(a, demo, b, { ...a, name: 'renamed' })).toEqual(['a', 'b', 'demo']);
});
