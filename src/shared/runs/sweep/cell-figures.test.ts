import { describe, expect, it } from 'vitest';
import { likelyFigure, readCellTails, TAIL_BYTES } from './cell-figures.ts';

const plain = (text: string): string => text;

describe('the ends of the logs of cells', () => {
  it('give the last value of each figure', () => {
    const text =
      '\nM cell 3 60\nstep 1 loss 0.5 lr 1e-3\nstep 2 loss 0.25 lr 1e-3\n\nM cell 7 4\nhi\n\n\nM whole\n';
    const found = readCellTails(text, 'M', plain);
    expect(found?.get(3)).toMatchObject({ loss: 0.25 });
    expect(found?.get(7)).toEqual({});
  });

  it('are read as the request of the sweep says', () => {
    const text = '\nM cell 3 60\nfitted 3 out of 12; L = 0.5\n\nM whole\n';
    expect(readCellTails(text, 'M', plain)?.get(3)).not.toHaveProperty('objective');
    const progress = ['fitted {step} out of {total}; L = {objective}'];
    expect(readCellTails(text, 'M', plain, progress)?.get(3)).toEqual({ objective: 0.5 });
  });

  it('do not take the rest of a line for a whole one', () => {
    const size = String(TAIL_BYTES + 100);
    const text = `\nM cell 1 ${size}\nss 99.5 loss 7\nstep 2 loss 0.25\n\nM whole\n`;
    expect(readCellTails(text, 'M', plain)?.get(1)).toMatchObject({ loss: 0.25 });
  });

  it('that are not whole say nothing', () => {
    expect(readCellTails('\nM cell 1 5\nloss 1', 'M', plain)).toBeNull();
    expect(readCellTails('\nM cells 1\n\nM whole\n', 'M', plain)).toBeNull();
  });

  it('offer the loss of a validation first', () => {
    expect(likelyFigure(['acc', 'loss', 'val_loss'])).toBe('val_loss');
    expect(likelyFigure(['acc', 'loss'])).toBe('loss');
    expect(likelyFigure(['reward'])).toBe('reward');
    expect(likelyFigure([])).toBeNull();
  });
});
