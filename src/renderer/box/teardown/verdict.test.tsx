import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { Blocker } from '../../../shared/teardown/inspection.ts';
import { NO_SECRETS } from '../../../shared/teardown/secrets-found.ts';
import type { TeardownView } from '../../../shared/teardown/teardown-view.ts';
import { sampleProfile } from '../../facts/facts.fixture.ts';
import { SETTLED } from './settled.fixture.ts';
import { Verdict } from './verdict.tsx';

afterEach(cleanup);

const endsBy = (verb: string): Blocker => ({
  ...{ id: `bills-on:${verb}`, kind: 'bills-on', stage: 'effect', says: 'It goes on.', shows: [] },
  ...{ entry: null, loss: 'l', accepted: null, verb },
});

function saidWith(blockers: readonly Blocker[], profile: ReturnType<typeof sampleProfile> | null) {
  const inspection = { ...SETTLED, blockers };
  const view: TeardownView = {
    ...{ gate: { kind: 'shut', inspection }, receipt: null, doing: null },
    ...{ provider: null, told: [], secrets: NO_SECRETS },
  };
  render(<Verdict view={view} profile={profile} />);
  const said = screen.getByText(/You may end this box/).textContent;
  cleanup();
  return said;
}

it('is no plain yes while each action takes something along that nobody has settled', () => {
  const profile = sampleProfile();
  const verbs = profile.actions.map(({ verb }) => verb);
  expect(saidWith([], profile)).toContain('its runs left nothing.');
  expect(saidWith(verbs.map(endsBy), profile)).toContain('once you have settled');
  expect(saidWith(verbs.slice(1).map(endsBy), profile)).toContain('its runs left nothing.');
  expect(saidWith([], null)).toContain('once you have settled');
});
