import { act, cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import type { OwnKeepRule } from '../../shared/transfer/keep-rules.ts';
import { openTestWindow } from '../test-window.fixture.ts';
import { KeepRulesSection } from './keep-rules-section.tsx';

afterEach(cleanup);
const ofEvery = (pattern: string, keep: OwnKeepRule['keep']): OwnKeepRule => ({
  ...{ pattern, keep, boxId: null },
});

it('a rule is added behind the others and taken away again, and the usual ones are shown', async () => {
  const bridge = openTestWindow();
  const user = userEvent.setup();
  const own = [ofEvery('samples/', 'scratch')];
  await act(async () => {
    render(<KeepRulesSection own={own} />);
    await Promise.resolve();
  });
  await user.type(screen.getByRole('textbox', { name: 'Files' }), 'best.pt');
  await user.selectOptions(screen.getByRole('combobox', { name: 'are' }), 'Evidence');
  await user.click(screen.getByRole('button', { name: 'Add the rule' }));
  await user.click(screen.getByRole('button', { name: 'Remove the rule samples/' }));
  expect(bridge.callsTo('settings:change')).toEqual([
    { patch: { keepRules: [...own, ofEvery('best.pt', 'evidence')] } },
    { patch: { keepRules: [] } },
  ]);
  const usual = within(screen.getByRole('list', { name: 'The usual rules', hidden: true }));
  expect(usual.getByText('*.ckpt')).toBeDefined();
});

it('a rule that says nothing, takes back or stands there already is not added', async () => {
  const bridge = openTestWindow();
  const user = userEvent.setup();
  await act(async () => {
    render(<KeepRulesSection own={[ofEvery('*.bin', 'checkpoint')]} />);
    await Promise.resolve();
  });
  const field = screen.getByRole('textbox', { name: 'Files' });
  for (const [text, says] of [
    ['!a', /nothing can be taken back/],
    ['*.bin', /There is such a rule/],
  ] as const) {
    await user.clear(field);
    await user.type(field, `${text}{Enter}`);
    expect(screen.getByText(says)).toBeDefined();
  }
  expect(bridge.callsTo('settings:change')).toEqual([]);
});
