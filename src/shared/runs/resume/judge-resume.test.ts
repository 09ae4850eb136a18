import { describe, expect, it } from 'vitest';
import { judgeResume, resumesBy } from './judge-resume.ts';

describe('the option by which a job goes on', () => {
  it.each([
    ['python train.py --resume', '--resume'],
    ['accelerate launch t.py --resume_from_checkpoint=latest', '--resume_from_checkpoint'],
    ['python t.py --resume-from x', '--resume-from'],
    ['yolo train resume=True', 'resume=True'],
    ['echo hello\npython t.py --auto-resume', '--auto-resume'],
    ['python train.py --init_from=resume', '--init_from=resume'],
    ['python t.py --ckpt_path last', '--ckpt_path'],
    ['python t.py trainer.resume_from_checkpoint=x', 'resume_from_checkpoint'],
  ])('of %j is %s', (job, expected) => {
    expect(resumesBy(job)).toBe(expected);
  });

  it.each(['# --resume\npython t.py', 'python t.py --resumes-never-x --presume', 'sh resume.sh'])(
    'is not known of %j',
    (job) => {
      expect(resumesBy(job)).toBe(null);
    },
  );
});

describe('what a run goes on from', () => {
  const NOW = 10_000_000;
  const newest = (writtenAtMs: number) => ({ path: 'a/\u202Ebad\u0007.pt', writtenAtMs });

  it('is not known where nothing was listed, whatever the command says', () => {
    expect(judgeResume(null, 'python t.py --resume', 0).answer).toBe('unknown');
    expect(judgeResume(null, 'python t.py', 0).says).toContain('may begin at its first step');
  });
  it('is its beginning where nothing was saved', () => {
    expect(judgeResume({ newest: null, atMs: NOW, isNamed: true }, 'python t.py', 0)).toMatchObject(
      {
        answer: 'pass',
        says: expect.stringContaining('begins at its first step') as string,
      },
    );
  });
  it('is not known where nobody knows where it saves', () => {
    const nowhere = { newest: null, atMs: NOW, isNamed: false };
    expect(judgeResume(nowhere, 'python t.py', 0)).toMatchObject({
      answer: 'unknown',
      says: expect.stringContaining('what it has saved is not known') as string,
    });
  });
  it('is warned of where the command names no option', () => {
    const { answer, says } = judgeResume(
      { newest: newest(NOW - 60_000), atMs: NOW, isNamed: false },
      'python t.py',
      0,
    );
    expect(answer).toBe('warn');
    expect(says).toContain('a/bad.pt, saved 60 s ago. The command names no option');
  });
  it('may be older than the run itself', () => {
    const saved = { newest: newest(5), atMs: NOW, isNamed: true };
    expect(judgeResume(saved, 'python t.py --resume', 6).says).toContain(
      'before the run that was cut off began',
    );
  });
});
