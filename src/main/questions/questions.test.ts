import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Question } from '../../shared/questions/question.ts';
import { StreamHub } from '../streams/stream-hub.ts';
import { openQuestions, type AskedQuestion, type Questions } from './questions.ts';

const PASSWORD: AskedQuestion = {
  boxId: '11111111-1111-4111-8111-111111111111',
  boxName: 'train-a',
  account: 'root@192.0.2.7',
  subject: { kind: 'password' },
  prompts: [{ text: 'Password', isEchoed: false }],
  refusal: null,
  keeping: { kind: 'offered' },
};

let hub: StreamHub;
let questions: Questions;
let sent: string[];

beforeEach(() => {
  hub = new StreamHub();
  sent = [];
  hub.addClient(1, (batch) => sent.push(JSON.stringify(batch)));
  questions = openQuestions(hub);
});
afterEach(() => hub.dispose());

function open(): readonly Question[] {
  const opened = hub.open(1, 'questions', '');
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value.state as readonly Question[];
}

const only = (): string => open()[0]!.id;

describe('questions', () => {
  it('show what is asked, hand the answer to the asker alone, and are gone then', async () => {
    open(); // a window that follows
    const asked = questions.ask(PASSWORD, new AbortController().signal);
    expect(open()).toMatchObject([{ ...PASSWORD, isLoginLost: false }]);
    expect(questions.answer(only(), ['tr0ub4dor&3'], true)).toEqual({ ok: true, value: null });
    const answer = await asked.answered;
    if (!answer.ok) throw new Error(answer.error.message);
    expect(answer.value.values.map((value) => value.reveal())).toEqual(['tr0ub4dor&3']);
    expect(answer.value.isToBeKept).toBe(true);
    expect(open()).toEqual([]);
    expect(sent.length).toBeGreaterThan(1);
    expect(sent.join()).not.toContain('tr0ub4dor');
    expect(JSON.stringify(answer)).not.toContain('tr0ub4dor');
  });

  it('queue up, each with its own box, and one answer answers one', async () => {
    const { signal } = new AbortController();
    const first = questions.ask(PASSWORD, signal);
    questions.ask({ ...PASSWORD, boxName: 'sweep-2' }, signal);
    expect(open().map(({ boxName }) => boxName)).toEqual(['train-a', 'sweep-2']);
    questions.answer(only(), ['x'], false);
    expect((await first.answered).ok).toBe(true);
    expect(open().map(({ boxName }) => boxName)).toEqual(['sweep-2']);
  });

  it('go away with the try that they belong to', async () => {
    const stopper = new AbortController();
    const asked = questions.ask(PASSWORD, stopper.signal);
    stopper.abort();
    expect(await asked.answered).toMatchObject({ ok: false, error: { code: 'aborted' } });
    expect(open()).toEqual([]);
    const late = questions.ask(PASSWORD, stopper.signal);
    expect(await late.answered).toMatchObject({ ok: false, error: { code: 'aborted' } });
    expect(open()).toEqual([]);
  });

  it('end with a named problem when they are dismissed, one or all', async () => {
    const { signal } = new AbortController();
    const first = questions.ask(PASSWORD, signal);
    const second = questions.ask(PASSWORD, signal);
    questions.dismiss(only());
    expect(await first.answered).toMatchObject({
      ok: false,
      error: { code: 'question-dismissed', message: expect.stringContaining('train-a') },
    });
    questions.dismissAll();
    expect(await second.answered).toMatchObject({ error: { code: 'question-dismissed' } });
    expect(open()).toEqual([]);
  });

  it('stay open, and say so, when the box does not wait', () => {
    const asked = questions.ask(PASSWORD, new AbortController().signal);
    asked.loginLost();
    expect(open()).toMatchObject([{ isLoginLost: true }]);
  });

  it('refuse an answer that does not fit, one that is too long, and one to nothing', () => {
    questions.ask(PASSWORD, new AbortController().signal);
    const id = only();
    expect(questions.answer(id, ['a', 'b'], false)).toMatchObject({ error: { code: 'bad-input' } });
    expect(questions.answer(id, ['x'.repeat(1025)], false)).toMatchObject({
      error: { code: 'bad-input' },
    });
    expect(open()).toHaveLength(1);
    questions.answer(id, ['x'], false);
    expect(questions.answer(id, ['x'], false)).toMatchObject({ error: { code: 'question-gone' } });
    expect(questions.dismiss(id)).toMatchObject({ error: { code: 'question-gone' } });
  });

  it('keep nothing that is not offered to be kept, whatever the window says', async () => {
    const asked = questions.ask(
      { ...PASSWORD, keeping: { kind: 'never' } },
      new AbortController().signal,
    );
    questions.answer(only(), ['123456'], true);
    expect(await asked.answered).toMatchObject({ ok: true, value: { isToBeKept: false } });
  });

  it('tell a listener of each new one', () => {
    const told: string[] = [];
    const stop = questions.onAsked(({ boxName }) => told.push(boxName));
    questions.ask(PASSWORD, new AbortController().signal);
    stop();
    questions.ask(PASSWORD, new AbortController().signal);
    expect(told).toEqual(['train-a']);
  });
});
