import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { sampleGotcha } from '../../shared/gotchas/catalog.fixture.ts';
import {
  incidentOfLog,
  type EntryDraft,
  type EntryPreview,
} from '../../shared/gotchas/entry-draft.ts';
import type { Gotchas, LoadedGotcha } from '../../shared/gotchas/gotcha.ts';
import { problem } from '../../shared/problem.ts';
import { err, ok } from '../../shared/result.ts';
import type { FakeBridge } from '../state/fake-bridge.fixture.ts';
import { useView } from '../state/view.ts';
import { openTestWindow } from '../test-window.fixture.ts';
import { HandbookPage } from './handbook-page.tsx';
import { allCleared } from './handbook-view.ts';
import { writingDropped } from './writing.ts';

const { id: _id, coverage: _coverage, ...SAMPLE } = sampleGotcha({ id: 'OWN1', theme: 'disk' });
const DRAFT: EntryDraft = {
  ...SAMPLE,
  title: 'Lease lost',
  symptom: 'The log says: lease 7 lost',
  cause: '',
  signs: ['lease … lost'],
  source: 'own experience',
  incident: 'worker 3\nlease 7 lost',
};
const SHOWN = { id: '7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01', digest: 'd1' };
const PREVIEW: EntryPreview = {
  kind: 'ready',
  id: 'OWN1',
  file: '/own/OWN1.yaml',
  yaml: 'format: 1\nentries:\n  - id: OWN1\n',
  markdown: '# Lease lost',
  plan: { ...SHOWN, expiresAtMs: 1 },
  redacted: ['incident'],
};
const OWN: LoadedGotcha = {
  gotcha: sampleGotcha({
    id: 'OWN1',
    title: 'Lease lost',
    coverage: null,
    incident: 'lease 7 \u202elost',
    answers: { rootCaused: 'yes', reproduced: 'no', general: 'yes' },
  }),
  origin: 'own',
  own: { file: '/own/OWN1.yaml', line: 3, digest: 'as-read' },
};
const U9: LoadedGotcha = { gotcha: sampleGotcha({ id: 'U9' }), origin: 'shipped', own: null };
const listed = (...all: readonly LoadedGotcha[]): Gotchas => ({
  ownFolder: '/own',
  all,
  faults: [],
});

afterEach(() => {
  cleanup();
  allCleared();
  writingDropped();
});

function Shown() {
  const page = useView((view) => view.page);
  return page.kind === 'handbook' ? <HandbookPage entry={page.entry} /> : null;
}

async function open(entry: string | null, gotchas: Gotchas): Promise<FakeBridge> {
  const bridge = openTestWindow();
  bridge.answer('gotchas:list', ok(gotchas));
  bridge.answer('gotchas:draft', ok(DRAFT));
  bridge.answer('gotchas:preview', ok(PREVIEW));
  bridge.answer('gotchas:keep', ok('OWN1'));
  useView.setState({ page: { kind: 'handbook', entry } });
  render(<Shown />);
  await screen.findByRole('region', { name: 'Find an entry' });
  return bridge;
}

const editor = () => within(screen.getByRole('article', { name: 'A new entry of your own' }));
const answer = async (question: string, word: string): Promise<void> => {
  const group = screen.getByRole('radiogroup', { name: question });
  await userEvent.setup().click(within(group).getByRole('radio', { name: word }));
};

async function begun(): Promise<FakeBridge> {
  const bridge = await open(null, listed(U9));
  fireEvent.paste(screen.getByRole('textbox', { name: 'Search, or paste an error or a log' }), {
    clipboardData: { getData: () => 'worker 3\nlease 7 lost' },
  });
  await userEvent.setup().click(screen.getByRole('button', { name: 'Save to Handbook…' }));
  return bridge;
}

describe('writing an entry of one’s own', () => {
  it('begins with what was pasted, and writes only what was looked at', async () => {
    const bridge = await begun();
    const user = userEvent.setup();
    expect(bridge.callsTo('gotchas:draft')).toEqual([incidentOfLog('worker 3\nlease 7 lost')]);
    await user.type(editor().getByRole('textbox', { name: 'Why' }), 'The broker restarts');
    await answer('Is the cause known?', 'Yes');
    await answer('Did it happen again when you tried?', 'No, but understood');
    await answer('Can it happen to others?', 'Yes');
    expect(screen.getByText(/^Root-caused, reproduced and general/)).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Keep entry' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Preview' }));
    expect(screen.getByLabelText('What is written').textContent).toBe(PREVIEW.yaml);
    expect(screen.getByText(/was taken out of: incident/)).toBeDefined();
    expect(bridge.callsTo('gotchas:keep')).toEqual([]);
    bridge.answer('gotchas:list', ok(listed(OWN, U9)));
    await user.click(screen.getByRole('button', { name: 'Keep entry' }));
    expect(bridge.callsTo('gotchas:preview')).toMatchObject([
      {
        editing: null,
        draft: {
          cause: 'The broker restarts',
          answers: { rootCaused: 'yes', reproduced: 'mechanism', general: 'yes' },
        },
      },
    ]);
    expect(bridge.callsTo('gotchas:keep')).toEqual([{ plan: SHOWN }]);
    expect(await screen.findByRole('article', { name: 'Lease lost' })).toBeDefined();
  });

  it('must be looked at again once it was changed', async () => {
    await begun();
    const user = userEvent.setup();
    await user.click(screen.getByRole('button', { name: 'Preview' }));
    await user.click(screen.getByRole('button', { name: 'Go on writing' }));
    await user.type(editor().getByRole('textbox', { name: 'Title' }), '!');
    expect(screen.queryByRole('button', { name: 'Keep entry' })).toBeNull();
  });

  it('marks what is missing and leads there', async () => {
    const bridge = await begun();
    const faults = [
      { field: 'cause', fix: 'Write something here.' },
      { field: 'answers', fix: 'Answer the three questions.' },
    ];
    bridge.answer('gotchas:preview', ok({ kind: 'incomplete', faults }));
    await userEvent.setup().click(screen.getByRole('button', { name: 'Preview' }));
    const why = editor().getByRole('textbox', { name: 'Why' });
    expect(document.activeElement).toBe(why);
    expect(why.getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByText('Answer the three questions.')).toBeDefined();
    await userEvent.setup().type(why, 'x');
    expect(why.getAttribute('aria-invalid')).toBe('false');
  });

  it('says why it was not kept, and keeps what was written', async () => {
    const bridge = await begun();
    const user = userEvent.setup();
    bridge.answer('gotchas:keep', err(problem('disk-full', 'The disk is full.')));
    await user.click(screen.getByRole('button', { name: 'Preview' }));
    await user.click(screen.getByRole('button', { name: 'Keep entry' }));
    expect((await screen.findByRole('alert')).textContent).toContain('The disk is full.');
    expect(editor().getByRole<HTMLInputElement>('textbox', { name: 'Title' }).value).toBe(
      'Lease lost',
    );
  });

  it('doubts a sign that is not in what was seen', async () => {
    await begun();
    const signs = editor().getByRole('textbox', { name: /^What a log says/ });
    fireEvent.change(signs, { target: { value: 'lease … found' } });
    expect(screen.getByText(/“lease … found” does not stand in what was seen/)).toBeDefined();
  });

  it('offers a note where it is true of one project only, and does not lose what is there', async () => {
    const bridge = await begun();
    bridge.answer('note:read', ok({ text: 'before', savedAtMs: 1 }));
    bridge.answer('note:keep', ok({ kind: 'kept', savedAtMs: 2 }));
    await answer('Is the cause known?', 'Yes');
    await answer('Did it happen again when you tried?', 'Yes');
    await answer('Can it happen to others?', 'No');
    const keepAsNote = screen.getByRole('button', { name: 'Keep it as a note about your project' });
    await userEvent.setup().click(keepAsNote);
    expect(bridge.callsTo('note:keep')).toEqual([
      {
        boxId: null,
        text: 'before\n\nLease lost\nThe log says: lease 7 lost\n- Do something',
      },
    ]);
    expect(screen.queryByRole('article', { name: 'A new entry of your own' })).toBeNull();
  });

  it('waits while another entry is read', async () => {
    await begun();
    act(() => useView.setState({ page: { kind: 'handbook', entry: 'U9' } }));
    expect(screen.getByRole('article', { name: 'Title of U9' })).toBeDefined();
    await userEvent.setup().click(screen.getByRole('button', { name: 'Continue' }));
    expect(editor().getByRole('textbox', { name: 'Title' })).toBeDefined();
  });
});

describe('an entry of one’s own', () => {
  it('is marked, says where it stands and how sure it is, and hides what acts on the screen', async () => {
    await open('OWN1', listed(OWN, U9));
    expect(screen.getByText('/own/OWN1.yaml:3')).toBeDefined();
    expect(screen.getByText(/seen once and not understood/)).toBeDefined();
    expect(screen.getByText('lease 7 lost')).toBeDefined();
    const user = userEvent.setup();
    await user.click(screen.getByRole('button', { name: 'Yours' }));
    expect(screen.getByRole('status').textContent).toBe('1 of 2 entries');
  });

  it('is changed as it was read, and nothing else', async () => {
    const bridge = await open('OWN1', listed(OWN, U9));
    const user = userEvent.setup();
    await user.click(screen.getByRole('button', { name: 'Edit…' }));
    expect(screen.getByRole('article', { name: 'Edit OWN1' })).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Preview' }));
    await user.click(screen.getByRole('button', { name: 'Replace entry' }));
    expect(bridge.callsTo('gotchas:preview')).toMatchObject([
      { editing: { id: 'OWN1', digest: 'as-read' } },
    ]);
  });

  it('is deleted after a question, and a refusal is said', async () => {
    const bridge = await open('OWN1', listed(OWN, U9));
    const user = userEvent.setup();
    bridge.answer('gotchas:remove', err(problem('gotcha-not-kept', 'It was changed.')));
    await user.click(screen.getByRole('button', { name: 'Delete…' }));
    expect(bridge.callsTo('gotchas:remove')).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Delete entry' }));
    expect((await screen.findByRole('alert')).textContent).toContain('It was changed.');
    bridge.answer('gotchas:remove', ok(null));
    bridge.answer('gotchas:list', ok(listed(U9)));
    await user.click(screen.getByRole('button', { name: 'Delete entry' }));
    expect(bridge.callsTo('gotchas:remove').at(-1)).toEqual({ id: 'OWN1', digest: 'as-read' });
    expect(await screen.findByText('All 1 entries')).toBeDefined();
  });

  it('is exported as text to copy', async () => {
    const bridge = await open('OWN1', listed(OWN, U9));
    bridge.answer(
      'gotchas:export',
      ok({ markdown: '# Lease lost', yaml: 'format: 1', redacted: [] }),
    );
    await userEvent.setup().click(screen.getByRole('button', { name: 'Export…' }));
    expect((await screen.findByLabelText('As Markdown')).textContent).toBe('# Lease lost');
    expect(screen.getByRole('button', { name: 'Copy as YAML' })).toBeDefined();
  });
});
