import { alarmText, type AlarmText } from '../clocks/alarm-text.ts';
import type { Clock } from '../clocks/clock.ts';
import type { JudgedBudget } from '../meter/budget.ts';
import { budgetText } from '../meter/budget-words.ts';
import { MAX_BODY_CHARS, MAX_TITLE_CHARS, type AlarmMessage } from './delivery.ts';

interface ClockAlarm {
  readonly box: { readonly name: string };
  readonly clock: Clock;
  readonly markMs: number;
}

export function clockMessage({ box, clock, markMs }: ClockAlarm, rangAtMs: number): AlarmMessage {
  return message({
    ...alarmText(box.name, clock, rangAtMs),
    about: 'clock',
    boxName: box.name,
    clockId: clock.id,
    markMs,
    share: null,
    endsAtMs: clock.due.kind === 'at' ? clock.due.atMs : null,
    rangAtMs,
  });
}

export function budgetMessage(judged: JudgedBudget, rangAtMs: number): AlarmMessage {
  const { answer, boxName } = judged;
  return message({
    ...budgetText(judged),
    about: 'budget',
    boxName: boxName ?? '',
    clockId: '',
    markMs: null,
    share: 'share' in answer ? answer.share : null,
    endsAtMs: null,
    rangAtMs,
  });
}

export function sentinelMessage(
  { box, text }: { readonly box: { readonly name: string }; readonly text: AlarmText },
  rangAtMs: number,
): AlarmMessage {
  return message({
    ...text,
    about: 'sentinel',
    boxName: box.name,
    clockId: '',
    markMs: null,
    share: null,
    endsAtMs: null,
    rangAtMs,
  });
}

export function testMessage(rangAtMs: number): AlarmMessage {
  return message({
    title: 'Leasehold: a test',
    body: 'Alarms of danger clocks and budgets, and what you wait for, will come like this.',
    about: 'test',
    boxName: '',
    clockId: '',
    markMs: null,
    share: null,
    endsAtMs: null,
    rangAtMs,
  });
}

/** As long as what is read back may be: a profile's sentences may be longer than anybody reads on a phone. */
function message(whole: AlarmMessage): AlarmMessage {
  const { title, body } = whole;
  return { ...whole, title: title.slice(0, MAX_TITLE_CHARS), body: body.slice(0, MAX_BODY_CHARS) };
}
