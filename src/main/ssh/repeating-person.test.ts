import { describe, expect, it } from 'vitest';
import type { PromptRound } from './person.ts';
import { repeating } from './repeating-person.ts';

const signal = new AbortController().signal;
const round = (text: string): PromptRound => ({
  title: '',
  instruction: '',
  prompts: [{ text, isEchoed: false }],
});

describe('who stands in for the person', () => {
  it('gives the password once', async () => {
    const person = repeating('pw');
    expect(await person.password(null, signal).answered).toEqual({ ok: true, value: ['pw'] });
    expect(await person.password(null, signal).answered).toMatchObject({ ok: false });
  });

  it('gives it to nobody who has refused it, and to no other question', async () => {
    expect(await repeating('pw').password('No.', signal).answered).toMatchObject({ ok: false });
    expect(await repeating('pw').prompts(round('Password:'), null, signal).answered).toEqual({
      ok: true,
      value: ['pw'],
    });
    expect(
      await repeating('pw').prompts(round('One-time code:'), null, signal).answered,
    ).toMatchObject({ ok: false });
  });
});
