import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { useBehind, useClocks } from '../state/feeds.ts';
import { BehindCell } from './behind-cell.tsx';

afterEach(cleanup);

it('says that nobody has looked whether results are backed up, and nothing where there is nothing', () => {
  useClocks.setState({ kind: 'live', state: { boxes: {} } }, true);
  useBehind.setState({ kind: 'live', state: { boxes: {} } }, true);
  const { container, rerender } = render(<BehindCell boxId="a" event="Auto release" />);
  expect(container.textContent).toBe(
    'Auto release · backup unchecked. Connect the box to check what is not backed up.',
  );
  expect(container.querySelector('small')?.title).toContain('have not been checked');
  const behind = { runs: [], unseenRuns: 0, rate: null };
  useBehind.setState({ kind: 'live', state: { boxes: { b: behind } } }, true);
  rerender(<BehindCell boxId="b" event={null} />);
  expect(container.textContent).toBe('');
});
