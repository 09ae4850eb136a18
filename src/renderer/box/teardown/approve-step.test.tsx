import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { Blocker } from '../../../shared/teardown/inspection.ts';
import { sampleProfile } from '../../facts/facts.fixture.ts';
import { sampleEntry } from '../../fleet/fleet-entry.fixture.ts';
import { openTestWindow } from '../../test-window.fixture.ts';
import { ApproveStep } from './approve-step.tsx';
import { SETTLED } from './settled.fixture.ts';

afterEach(cleanup);

it('shows what goes with the box where it is approved, so that nobody approves that unseen', () => {
  const { box } = sampleEntry();
  openTestWindow();
  const left = { runName: 'base', path: '/w/out', files: 1, bytes: 9, because: 'only scratch' };
  const loss: Blocker = {
    ...{ id: 'l', kind: 'not-home', stage: 'pulled', says: '1 file is not home.', shows: [] },
    ...{ entry: null, loss: 'l', verb: null },
    accepted: { because: 'of no use', atMs: 1 },
  };
  const inspection = {
    ...{ ...SETTLED, blockers: [loss] },
    left: [{ ...left, shows: ['scratch.tmp'] }],
  };
  const at = { box, profile: sampleProfile(), isOpen: true, isBusy: false };
  render(<ApproveStep {...at} inspection={inspection} />);
  const listed = screen.getByRole('list', { name: 'What goes with the box' });
  expect([...listed.children].map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^scratch\.tmp · base · .*only scratch$/),
    '1 file is not home.of no use',
  ]);
  cleanup();
  render(<ApproveStep {...at} inspection={SETTLED} />);
  expect(screen.queryByRole('list', { name: 'What goes with the box' })).toBeNull();
});

it('takes an effect that no source tells for the worst, and says what to do about it', () => {
  const { box } = sampleEntry();
  openTestWindow();
  const profile = sampleProfile();
  const actions = profile.actions.map((each) => ({
    ...each,
    ...{ deletes: null, stopsCompute: null },
  }));
  const at = { box, isOpen: true, isBusy: false, inspection: SETTLED };
  render(<ApproveStep {...at} profile={{ ...profile, actions }} />);
  const card = screen.getAllByRole('radio')[0]?.closest('label');
  expect(card?.textContent).toContain('DeletesNot known: expect everything');
  expect(card?.textContent).toContain('for the machineNot known: ask your provider');
});
