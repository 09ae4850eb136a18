import { describe, expect, it } from 'vitest';
import { GatePass, gateStateKinds, stepGate, type GateEvent, type GateState } from './gate.ts';
import { begin, confirm, states, table, yes } from './gate-cases.fixture.ts';
import { gatePage } from './gate-page.fixture.ts';
import { refusalWords } from './gate-words.ts';
import { personsPart, pictureOf } from './judge-gone.ts';
import { ACT, BLOCKER, inspectionOf, saidOf, wordOf } from './gate.fixture.ts';

const LATE_MS = begin.monoMs + 1;
const GIVEN_UP = inspectionOf('seen', [{ ...BLOCKER, accepted: { atMs: 1, because: 'scratch' } }]);

/** A gate that throws has answered, too, and wrongly. */
function stepped(state: GateState, event: GateEvent): string {
  try {
    const next = stepGate(state, event);
    return next.ok ? wordOf(next.value) : `- ${next.error}`;
  } catch (cause) {
    return `throws ${String(cause)}`;
  }
}

describe('stepGate', () => {
  it.each(table)('answers %s in every state', (_name, event, expected) => {
    const found = Object.values(states).map((state) => stepped(state, event));
    const named = (words: readonly string[]) =>
      Object.fromEntries(Object.keys(states).map((name, at) => [name, words[at]]));
    expect(named(found)).toEqual(named(expected));
  });

  it('is told of in the table whole: each state and each event, each refusal', () => {
    expect(new Set(Object.values(states).map(({ kind }) => kind))).toEqual(new Set(gateStateKinds));
    const events: Readonly<Record<GateEvent['kind'], true>> = {
      ...{ inspected: true, approve: true, withdraw: true, time: true, begin: true },
      ...{ answered: true, resumed: true, confirm: true, 'called-off': true, 'begin-again': true },
      ...{ changed: true },
    };
    expect(new Set(table.map(([, { kind }]) => kind))).toEqual(new Set(Object.keys(events)));
    const refused = table.flatMap(([, , said]) => said.filter((word) => word.startsWith('- ')));
    expect(new Set(refused.map((word) => word.slice(2)))).toEqual(
      new Set(Object.keys(refusalWords)),
    );
  });

  it('is what docs/gate.md says', async () => {
    await expect(gatePage()).toMatchFileSnapshot('../../../docs/gate.md');
  });

  it('takes a loss that a person has accepted for no blocker', () => {
    const clear = { kind: 'shut', inspection: GIVEN_UP } as const;
    expect(stepped(clear, yes)).toBe('approved');
    expect(stepped(states.approved, { ...begin, inspection: GIVEN_UP })).toBe('acting');
  });

  it.each(['gone', 'unheard'] as const)(
    'takes the word of a person where a provider says %s only for what they had in front of them',
    (kind) => {
      const asked = kind === 'gone' ? 'unreachable' : 'silent';
      const shown = stepGate(states.acting, confirm(asked, null, kind));
      if (!shown.ok || shown.value.kind !== 'unconfirmed') throw new Error('is over');
      const read = pictureOf(shown.value);
      expect(stepGate(shown.value, confirm(asked, 8, kind, read))).toMatchObject({
        value: { kind: 'gone', gone: { by: { kind: 'person', said: { kind } } } },
      });
      // The page has become another one since they read it, or becomes one with this very answer.
      expect(stepped(shown.value, confirm(asked, 8, kind))).toBe('unconfirmed');
      expect(stepped(states.acting, confirm(asked, 8, kind, read))).toBe('unconfirmed');
      const other = asked === 'silent' ? 'unreachable' : 'unknown';
      expect(stepped(shown.value, confirm('answers', 8, kind, read))).toBe('unconfirmed');
      expect(stepped(shown.value, confirm(other, 8, kind, read))).toBe('unconfirmed');
      const act = { ...shown.value.act, id: 'act-2' };
      expect(stepped({ ...shown.value, act }, confirm(asked, 8, kind, read))).toBe('unconfirmed');
    },
  );

  it('offers a person to add their word just where it would be the second witness', () => {
    const answers = [null, 'silent', 'answers', 'unreachable', 'unknown'] as const;
    const says = [null, 'running', 'stopping', 'stopped', 'gone', 'unheard', 'silent'] as const;
    for (const said of says) {
      for (const answer of answers) {
        const what = `${String(said)}, ${String(answer)}`;
        const shown = stepGate(states.acting, confirm(answer, null, said));
        if (!shown.ok) throw new Error(shown.error);
        // Over without any word.
        if (shown.value.kind !== 'acting' && shown.value.kind !== 'unconfirmed') continue;
        const again = confirm(answer, 8, said, pictureOf(shown.value));
        const part = personsPart(shown.value);
        // By hand a first look finds the silence together with the word.
        const isEnough = part === 'ended-elsewhere' || (part === 'done' && said !== null);
        const isOver = stepped(shown.value, again) === 'gone';
        if (said === null) expect([what, isOver]).toEqual([what, answer === 'silent']);
        else expect([what, isOver]).toEqual([what, isEnough]);
      }
    }
    const byHand = answers.map((kind) => {
      const answer = kind === null ? null : { kind, says: 'So it was.' };
      return personsPart({ ...states.acting, answer });
    });
    expect(byHand).toEqual(['done', 'done', 'done', 'cannot-confirm', 'cannot-confirm']);
    const unheard = { ...states.acting, said: saidOf('unheard') };
    const lost = { ...unheard, answer: { kind: 'unreachable', says: 'So it was.' } } as const;
    expect([personsPart(unheard), personsPart(lost)]).toEqual([null, 'cannot-confirm']);
  });

  it('keeps what was approved, and when, to the end', () => {
    const acting = stepGate(states.approved, begin);
    expect(acting).toEqual({ ok: true, value: states.acting });
    const gone = stepGate(states.acting, confirm('silent', 8));
    const by = { kind: 'person', saidAtMs: 8, said: null };
    const both = { atMs: 9, silence: 'So it was.', by };
    expect(gone).toEqual({ ok: true, value: { kind: 'gone', act: ACT, gone: both } });
    expect(stepGate(states.acting, confirm('silent', null, 'gone'))).toMatchObject({
      value: { gone: { by: { kind: 'provider', said: saidOf('gone') } } },
    });
    const silent = stepGate(states.acting, confirm('silent', null));
    expect(silent).toMatchObject({
      value: { because: expect.stringMatching(/^So it was\. That/) },
    });
  });
});

describe('judgeGone', () => {
  it('takes a box that was to be stopped for stopped, and not one that was to be destroyed', () => {
    const stop = { ...states.acting, act: { ...ACT, aim: 'stopped' } } as const;
    for (const aim of ['stopped', 'gone'] as const) {
      // What was to be stopped, and is gone, is not said to be stopped.
      expect(stepGate(stop, confirm('silent', null, aim))).toMatchObject({
        value: { kind: 'gone', act: { aim } },
      });
    }
    expect(stepped(stop, confirm('answers', null, 'stopped'))).toBe('unconfirmed');
  });

  it('asks a person beside a provider that was linked after the yes, whose machine may be another', () => {
    for (const aim of ['gone', 'stopped'] as const) {
      const machine = { hostKey: 'SHA256:same', life: 'b/1', instance: null };
      const acting = { ...states.acting, act: { ...ACT, aim, machine } } as const;
      const shown = stepGate(acting, confirm('silent', null, aim));
      if (!shown.ok || shown.value.kind !== 'unconfirmed') throw new Error('is over');
      expect(shown.value.because).toMatch(/linked to this box after your yes/);
      expect(personsPart(shown.value)).toBe('done');
      const word = confirm('silent', 8, aim, pictureOf(shown.value));
      expect(stepGate(shown.value, word)).toMatchObject({
        value: { kind: 'gone', gone: { by: { kind: 'person', said: { kind: aim } } } },
      });
      // An older Leasehold did not write which machine it was.
      const old = { ...acting, act: { ...acting.act, machine: null } };
      expect(stepped(old, confirm('silent', null, aim))).toBe('gone');
    }
  });

  it('has words of its own for each way in which the two do not say the same', () => {
    const asked = [null, ...(['silent', 'answers', 'unreachable', 'unknown'] as const)].flatMap(
      (answer) =>
        (['running', 'stopped', 'gone', 'unheard', 'silent'] as const).flatMap((said) => {
          const next = stepGate(states.acting, confirm(answer, null, said));
          return next.ok && next.value.kind === 'unconfirmed' ? [next.value.because] : [];
        }),
    );
    expect(new Set(asked)).toEqual(
      new Set([
        'Acme says that the machine is running still.',
        'Acme says that the machine is stopped, and not that it is gone.',
        'Acme says that the machine is gone, and its address answers: So it was.',
        'Acme says that the machine is gone. Its address was not asked.',
        'Acme says that the machine is gone. So it was. If you know that it is gone, say so as well.',
        'Nothing is known from Acme: So it is.',
        'The box answers, and Acme knows no such machine. So it was.',
        'Acme knows no such machine, and nobody answers at its address. If it was ended elsewhere, say that it is done.',
        'Acme knows no such machine. Its address was not asked.',
        'Acme knows no such machine. So it was. That does not show whether the box is gone, so it cannot be confirmed from here.',
      ]),
    );
  });
});

describe('GatePass', () => {
  it('is given out by an open gate alone', () => {
    for (const [name, state] of Object.entries(states)) {
      const opened = GatePass.open(state, begin);
      expect(opened.ok, name).toBe(name === 'approved');
    }
    const late = { ...begin, monoMs: LATE_MS };
    expect(GatePass.open(states.approved, late)).toEqual({ ok: false, error: 'expired' });
  });

  it('is good for one call', () => {
    const opened = GatePass.open(states.approved, begin);
    if (!opened.ok) throw new Error(opened.error);
    const { pass, state } = opened.value;
    expect([pass.take(), pass.take(), pass.take()]).toEqual([true, false, false]);
    expect(GatePass.open(state, begin)).toEqual({ ok: false, error: 'under-way' });
  });
});
