import { describe, expect, it } from 'vitest';
import { judgeEdited } from './judge-edited.ts';

const [one, other] = ['0'.repeat(64), '1'.repeat(64)];

describe('whether a run folder is as it was launched', () => {
  it('is known where every hash is there, and not asked where the launch kept none', () => {
    expect(judgeEdited({ 'job.sh': one }, { 'job.sh': one })).toEqual([]);
    expect(judgeEdited({}, { 'job.sh': one })).toEqual([]);
    expect(judgeEdited({ 'job.sh': one }, { 'job.sh': other })).toMatchObject([
      {
        answer: 'block',
        says: expect.stringContaining('job.sh in the run folder is not') as string,
      },
    ]);
  });

  it('is unknown where the box tells no hash now, beside what it tells', () => {
    expect(judgeEdited({ 'job.sh': one, 'queue.sh': one }, { 'job.sh': other })).toMatchObject([
      { answer: 'block' },
      {
        answer: 'unknown',
        says: 'Whether queue.sh in the run folder is as the launch wrote it is not known: the box told no hash of it.',
      },
    ]);
    expect(judgeEdited({ 'job.sh': one, 'queue.sh': one }, {})).toMatchObject([
      { answer: 'unknown', says: expect.stringContaining('job.sh and queue.sh') as string },
    ]);
  });
});
