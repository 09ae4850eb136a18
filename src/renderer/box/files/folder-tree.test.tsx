import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ok } from '../../../shared/result.ts';
import { openTestWindow } from '../../test-window.fixture.ts';
import { useFilesView } from './files-view.ts';
import { FolderTree } from './folder-tree.tsx';

const BOX = '11111111-1111-4111-8111-111111111111';

beforeEach(async () => {
  const bridge = openTestWindow();
  bridge.answer('files:folders', ok({ names: ['my', 'my data', 'other'], isCut: false }));
  render(<FolderTree boxId={BOX} folder="/my" showsHidden={false} times={0} />);
  await screen.findByRole('treeitem', { name: 'my data' });
  act(() => screen.getByRole('tree').focus());
});
afterEach(cleanup);

const tree = (): HTMLElement => screen.getByRole('tree');
const walked = (): string | null => {
  const id = tree().getAttribute('aria-activedescendant') ?? '';
  return (
    within(tree())
      .getAllByRole('treeitem')
      .find((row) => row.id === id)?.ariaLabel ?? null
  );
};

it('takes a blank for a part of the name that is being typed, and else for the key that shows a folder', async () => {
  const user = userEvent.setup();
  await user.keyboard('my d');
  expect(walked()).toBe('my data');
  expect(useFilesView.getState()[BOX]?.folder).toBeUndefined();
  await user.keyboard('{ArrowDown}');
  expect(walked()).toBe('other');
});

it('keeps the row where the keys are while another window has the focus', async () => {
  await userEvent.setup().keyboard('{ArrowDown}{ArrowDown}');
  expect(walked()).toBe('other');
  // The window has lost the focus, and the tree has it in the window.
  fireEvent.blur(tree());
  expect(walked()).toBe('other');
  act(() => tree().blur());
  expect(walked()).toBe('my');
});
