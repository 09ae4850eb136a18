import type { EntryAnswers } from './gotcha.ts';

/** Where what was learned belongs: into everybody's catalog, into the person's own until it is proven, or into a note. */
export interface Belonging {
  readonly place: 'everybody' | 'unproven' | 'note';
  /** A sentence for the person. */
  readonly because: string;
}

/** A new gotcha qualifies only if it is root-caused, reproduced (or its mechanism is known) and general. */
export function belongsWhere({ rootCaused, reproduced, general }: EntryAnswers): Belonging {
  if (general === 'no') {
    return {
      place: 'note',
      because: 'It is true of one box or one project: a note there says it where it is needed.',
    };
  }
  const missing = [
    ...(rootCaused === 'no' ? ['its cause is not known'] : []),
    ...(reproduced === 'no' ? ['it was seen once and not understood'] : []),
  ];
  if (missing.length > 0) {
    return {
      place: 'unproven',
      because: `Not confirmed: ${missing.join(', and ')}. It stays yours until it is.`,
    };
  }
  return {
    place: 'everybody',
    because: 'Root-caused, reproduced and general: it may help others, too.',
  };
}

export const ANSWER_WORDS = {
  rootCaused: { yes: 'yes', no: 'no' },
  reproduced: { yes: 'yes', mechanism: 'no, but the mechanism is known', no: 'no' },
  general: { yes: 'yes', no: 'no' },
} as const satisfies {
  readonly [Q in keyof EntryAnswers]: Readonly<Record<EntryAnswers[Q], string>>;
};

/** The three questions, in the order in which they are asked. */
export const QUESTIONS: Readonly<
  Record<keyof EntryAnswers, { readonly asks: string; readonly hint: string }>
> = {
  rootCaused: {
    asks: 'Is the cause known?',
    hint: 'Found and shown, not guessed from what happened at the same time.',
  },
  reproduced: {
    asks: 'Did it happen again when you tried?',
    hint: 'Or is it understood why it must happen?',
  },
  general: {
    asks: 'Can it happen to others?',
    hint: 'Not only on this box, with this project or this account.',
  },
};
