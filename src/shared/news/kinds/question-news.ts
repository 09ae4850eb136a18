import { questionTitle, type Question } from '../../questions/question.ts';
import { HERE, type NewsKind } from '../news.ts';

/**
 * What is asked is said, never what a server wrote: that belongs into the dialog. It ends with its try, and nobody can answer it
 * anywhere but here.
 */
export const questionNews: NewsKind<Question> = {
  kind: 'question',
  picture: 'key',
  to: HERE,
  isKept: false,
  words: (question) => {
    const { boxId, boxName, account } = question;
    return {
      title: questionTitle(question),
      body: `Leasehold cannot log in as ${account} without it.`,
      box: { id: boxId, name: boxName },
      severity: 'warn',
      shows: { kind: 'show-box', boxId },
      about: boxId,
      quietAt: 'window',
      facts: {},
    };
  },
};
