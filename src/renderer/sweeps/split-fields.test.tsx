import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { BoxSplit } from './box-split.ts';
import { SplitFields } from './split-fields.tsx';

afterEach(cleanup);

it('names what it lacks of a box, where the price and the cards stand', () => {
  const split: BoxSplit = {
    rows: [
      {
        ...{ boxId: 'a', name: 'train-a', pricePerHour: null, gpus: null, speed: null },
        ...{ cannot: null, isChosen: true, text: '3' },
      },
    ],
    ...{ says: null, error: null, shares: [], named: null, isChanged: false },
    ...{ onChosen: () => undefined, onText: () => undefined, onReset: () => undefined },
  };
  render(<SplitFields split={split} isTried={false} />);
  const cells = screen.getAllByRole('cell').map(({ textContent }) => textContent);
  expect(cells.slice(0, 2)).toEqual(['no full price', 'not read']);
});
