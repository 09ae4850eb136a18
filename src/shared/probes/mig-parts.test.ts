import { describe, expect, it } from 'vitest';
import { readMigParts } from './mig-parts.ts';
import { sample } from './sample.fixture.ts';

const LIST = sample('query-form--h100-mig-590-list').text;
const TABLE = sample('query-form--h100-mig-590-table-load').text;
const H200 = sample('query-form--h200-mig-590-table-idle').text;
const CARD = {
  uuid: 'GPU-00000000-0000-0000-0000-000000000000',
  pciAddress: '0000:00:09',
  migMode: 'Enabled',
};

const read = (list: string | null, table: string | null, card = CARD) =>
  readMigParts([card], list, table).get(card.uuid) ?? null;

describe('the parts of a card under MIG', () => {
  it('have their names from the list and their memory from the table', () => {
    expect(read(LIST, TABLE)).toEqual([
      part(0, 2, '3g.40gb', 11_091, 40_448),
      part(1, 3, '2g.20gb', 17, 20_096),
      part(2, 9, '1g.10gb', 9, 9984),
      part(3, 10, '1g.10gb', 9, 9984),
    ]);
  });

  it('keep what one of the two tells where the other says nothing', () => {
    expect(read(LIST, null)?.map(({ profile }) => profile)).toHaveLength(4);
    expect(read(LIST, null)?.[0]).toEqual(part(0, null, '3g.40gb', null, null));
    expect(read(LIST, 'Failed to initialize NVML: Unknown Error\n')?.[0]?.memoryUsedMiB).toBeNull();
    expect(read(null, TABLE)?.[0]).toEqual(part(0, 2, null, 11_091, 40_448));
    expect(read(null, null)).toBeNull();
  });

  it('have no memory where the two answers show other parts: the card was split anew between them', () => {
    const fewer = LIST.split('\n').slice(0, 4).join('\n');
    expect(read(fewer, TABLE)?.map(({ memoryUsedMiB }) => memoryUsedMiB)).toEqual([
      null,
      null,
      null,
    ]);
    const others = LIST.replace('Device  3', 'Device  5');
    expect(read(others, TABLE)?.every(({ memoryUsedMiB }) => memoryUsedMiB === null)).toBe(true);
  });

  it('are those of the card at that address, whatever its index', () => {
    const elsewhere = { ...CARD, pciAddress: '0000:83:00' };
    expect(read(LIST, TABLE, elsewhere)?.[0]).toEqual(part(0, null, '3g.40gb', null, null));
    expect(read(null, TABLE + H200, elsewhere)?.map(({ gpuInstance }) => gpuInstance)).toEqual([
      2, 2, 3, 9, 10,
    ]);
    expect(read(LIST, TABLE, { ...CARD, migMode: 'Disabled' })).toBeNull();
  });

  it('are unknown where the container may not see them', () => {
    const hidden = TABLE.replace('11091MiB / 40448MiB', '     N/A /     N/A  ');
    expect(read(LIST, hidden)?.[0]).toEqual(part(0, 2, '3g.40gb', null, null));
  });
});

function part(
  device: number,
  gpuInstance: number | null,
  profile: string | null,
  memoryUsedMiB: number | null,
  memoryTotalMiB: number | null,
) {
  return { device, gpuInstance, profile, memoryUsedMiB, memoryTotalMiB };
}
