import { act, cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import type { OwnKeepRule } from '../../shared/transfer/keep-rules.ts';
import { sampleEntry } from '../fleet/fleet-entry.fixture.ts';
import { useFleet } from '../state/feeds.ts';
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
  await user.click(screen.getByRole('button', { name: 'Add rule' }));
  await user.click(screen.getByRole('button', { name: 'Remove the rule samples/' }));
  expect(bridge.callsTo('settings:change')).toEqual([
    { patch: { keepRules: [...own, ofEvery('best.pt', 'evidence')] } },
    { patch: { keepRules: [] } },
  ]);
  const usual = within(screen.getByRole('list', { name: 'The usual rules', hidden: true }));
  expect(usual.getByText('*.ckpt')).toBeDefined();
});

it('a rule names its box, says of one that was removed that it was, and of none before the list is there', () => {
  openTestWindow();
  const [there, gone] = [sampleEntry(), '99999999-1111-4111-8111-111111111111'];
  const own = [there.box.id, gone].map((boxId): OwnKeepRule => ({
    pattern: '*.bin',
    keep: 'evidence',
    boxId,
  }));
  useFleet.setState({ kind: 'loading' }, true);
  render(<KeepRulesSection own={own} />);
  const rules = within(screen.getByRole('list', { name: 'Your rules' }));
  const said = () => rules.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(said()).toEqual(['*.binEvidence', '*.binEvidence']);
  act(() => useFleet.setState({ kind: 'live', state: { entries: [there] } }, true));
  expect(said()).toEqual([`*.binEvidence${there.box.name}`, '*.binEvidenceA box that was removed']);
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
    ['!a', /cannot begin with/],
    ['/', /^Write the name of a file/],
    ['*.bin', /This rule already exists/],
  ] as const) {
    await user.clear(field);
    await user.type(field, `${text}{Enter}`);
    expect(screen.getByText(says)).toBeDefined();
  }
  expect(bridge.callsTo('settings:change')).toEqual([]);
});
