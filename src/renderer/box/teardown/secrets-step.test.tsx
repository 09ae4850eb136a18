import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { problem } from '../../../shared/problem.ts';
import { err, ok } from '../../../shared/result.ts';
import {
  NO_SECRETS,
  type FoundSecret,
  type SecretsView,
} from '../../../shared/teardown/secrets-found.ts';
import { sampleProfile } from '../../facts/facts.fixture.ts';
import { openTestWindow } from '../../test-window.fixture.ts';
import { SecretsStep } from './secrets-step.tsx';
import { stepLines } from './teardown-steps.ts';

const BOX = '7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01';
const file = (path: string, more: Partial<FoundSecret> = {}): FoundSecret => ({
  ...{ key: `1/${path}`, kind: 'netrc', path, bytes: 9, modifiedAtMs: 0, links: 1 },
  ...{ isOwn: true, mayGo: true, isSure: true },
  ...more,
});
const found = (...files: readonly FoundSecret[]): SecretsView => ({
  ...NO_SECRETS,
  look: { atMs: 0, found: files, home: '/root', isCut: false, unread: null },
});

let bridge: ReturnType<typeof openTestWindow>;
beforeEach(() => {
  bridge = openTestWindow();
});
afterEach(cleanup);

function show(secrets: SecretsView): void {
  render(<SecretsStep boxId={BOX} profile={sampleProfile()} secrets={secrets} doing={null} isUp />);
}

it('chooses beforehand only what Leasehold sent, and removes exactly what the plan shows', async () => {
  const doomed = [file('/root/sent', { kind: 'sent' }), file('/root/.netrc')];
  const plan = { id: '3f0e7d3c-58a4-4f0f-9a35-0d6b1a0f5b01', digest: 'd', expiresAtMs: 1 };
  bridge.answer('teardown:plan-secrets', ok({ doomed, plan }));
  bridge.answer('teardown:remove-secrets', ok(null));
  show(
    found(
      ...doomed,
      file('/home/ann/.netrc', { isOwn: false }),
      file('/root/x.env', { kind: 'env-file', isSure: false }),
      file('/etc/.netrc', { mayGo: false }),
    ),
  );
  const boxes = () => screen.getAllByRole('checkbox', { checked: true });
  expect(boxes()).toHaveLength(1);
  expect(screen.getByRole('checkbox', { name: /etc/ })).toHaveProperty('disabled', true);
  await userEvent.click(screen.getByRole('button', { name: 'Choose all of yours' }));
  expect(boxes()).toHaveLength(2);
  await userEvent.click(screen.getByRole('button', { name: 'Remove 2 files…' }));
  const dialog = await screen.findByRole('alertdialog');
  expect(within(dialog).getByText('~/.netrc')).toBeTruthy();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Delete on the box' }));
  const { id, digest } = plan;
  expect(bridge.callsTo('teardown:remove-secrets')).toEqual([{ boxId: BOX, plan: { id, digest } }]);
});

it('says what nobody could see, and what stayed, and never takes that for nothing', () => {
  const partly = {
    ...NO_SECRETS,
    look: {
      atMs: 0,
      found: [],
      home: null,
      isCut: false,
      unread: 'Some folders are closed to you.',
    },
    stayed: ['/root/.netrc: something else lies there now.'],
  };
  show(partly);
  expect(screen.getByText(/Not everything was looked through/)).toBeTruthy();
  expect(screen.getByText(/something else lies there now/)).toBeTruthy();
  const lineOf = (secrets: SecretsView) =>
    stepLines({ gate: { kind: 'shut', inspection: null }, secrets }).find(
      ({ id }) => id === 'secrets',
    );
  expect(lineOf(NO_SECRETS)).toMatchObject({ says: 'Not looked for', isDone: false });
  expect(lineOf(partly)).toMatchObject({ says: '1 file not known to be removed', isDone: false });
  expect(lineOf({ ...partly, stayed: [] })).toMatchObject({
    ...{ says: 'Not searched completely', isDone: false },
  });
  // The look found nothing, but what was to be removed may lie there.
  expect(lineOf({ ...found(), stayed: partly.stayed })).toMatchObject({ isDone: false });
  expect(lineOf(found())).toMatchObject({ says: 'None found', isDone: true });
  expect(lineOf(found(file('/a')))).toMatchObject({ says: '1 file there', isDone: false });
  expect(lineOf({ ...found(file('/a')), isLeft: true })).toMatchObject({
    ...{ says: '1 file left there', isDone: true },
  });
});

it('tells why a removal was not kept although another look has come, and keeps the focus', async () => {
  const doomed = [file('/root/.netrc')];
  const plan = { id: '3f0e7d3c-58a4-4f0f-9a35-0d6b1a0f5b01', digest: 'd', expiresAtMs: 1 };
  bridge.answer('teardown:plan-secrets', ok({ doomed, plan }));
  bridge.answer(
    'teardown:remove-secrets',
    err(problem('internal', 'The evidence could not be written.')),
  );
  const step = (secrets: SecretsView) => (
    <div role="tabpanel" tabIndex={0}>
      <SecretsStep boxId={BOX} profile={null} secrets={secrets} doing={null} isUp />
    </div>
  );
  const { rerender } = render(step(found(...doomed)));
  await userEvent.click(screen.getByRole('button', { name: 'Choose all of yours' }));
  await userEvent.click(screen.getByRole('button', { name: 'Remove 1 file…' }));
  const dialog = await screen.findByRole('alertdialog');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Delete on the box' }));
  const empty = found();
  rerender(step({ ...empty, look: empty.look && { ...empty.look, atMs: 1 } }));
  within(screen.getByRole('alertdialog')).getByText('The evidence could not be written.');
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('tabpanel')));
});
