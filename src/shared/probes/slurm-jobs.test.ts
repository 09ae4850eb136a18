import { describe, expect, it } from 'vitest';
import { MAX_WALLTIMES, NO_WALLTIMES } from '../clocks/walltimes.ts';
import { damaged, noise } from './sample.fixture.ts';
import { parseSlurmJobs, parseSlurmTime, selectWalltimes } from './slurm-jobs.ts';

const MARK = '@m';
const H = 3_600_000;
const section = (name: string, text: string, code = 0): string =>
  `\n${MARK} begin ${name}\n${text}\n${MARK} end ${name} ${code}\n`;
const own = (text: string): string => section('own', text);

// The lines of squeue-id-state.txt and squeue-us-separated-null-submit.txt in ../samples, as %i|%T|%L prints them.
const LISTED = [
  '6779842|RUNNING|3-20:07:29',
  '6787542|RUNNING|35:16',
  '6783828|TIMEOUT|INVALID',
  '591970_[2-9%1]|PENDING|1-00:00:00',
  '15452424|COMPLETING|0:00',
].join('\n');

describe('the walltime of Slurm', () => {
  it.each([
    ['3-20:07:29', (92 * 60 + 7) * 60_000 + 29_000],
    ['12:44:39', 45_879_000],
    ['35:16', 2_116_000],
    ['0:00', 0],
    ['UNLIMITED', null],
    ['INVALID', null],
    ['NOT_SET', null],
    ['', null],
    ['1:2:3:4', null],
  ])('reads “%s”', (text, ms) => {
    expect(parseSlurmTime(text)).toBe(ms);
  });

  it('is that of the session’s own job, and on a login node that of each job, the first one first', () => {
    const text = own('job \nnow 1\ntool squeue') + section('squeue', LISTED);
    const look = parseSlurmJobs(text, MARK);
    expect(look).toMatchObject({ kind: 'known', own: null, unreadable: [] });
    expect(selectWalltimes(look, 1000)).toEqual({
      ends: [
        { job: '6787542', endMs: 1000 + 2_116_000 },
        { job: '6779842', endMs: 1000 + 92 * H + 449_000 },
      ],
      more: 0,
    });
    const inside = parseSlurmJobs(
      own('job 6779843\ntool squeue') + section('squeue', '6779842_1|RUNNING|3-20:07:29'),
      MARK,
    );
    expect(selectWalltimes(inside, 0).ends).toEqual([
      { job: '6779842_1', endMs: 92 * H + 449_000 },
    ]);
  });

  it('is counted for so many jobs, each once, and how many more there are is said', () => {
    const listed = Array.from({ length: 300 }, (_, i) => `7_${i}|RUNNING|${i % 60}:00`);
    const text = own('tool squeue') + section('squeue', [...listed, '7_1|RUNNING|0:30'].join('\n'));
    const { ends, more } = selectWalltimes(parseSlurmJobs(text, MARK), 0);
    expect({ count: ends.length, more }).toEqual({ count: MAX_WALLTIMES, more: 292 });
    expect(ends.filter(({ job }) => job === '7_1')).toEqual([{ job: '7_1', endMs: 30_000 }]);
    expect(ends.every(({ endMs }) => endMs <= 60_000)).toBe(true);
  });

  it('is none where nothing runs with an end', () => {
    const listed = '1|PENDING|1:00:00\n2|RUNNING|UNLIMITED';
    const look = parseSlurmJobs(own('tool squeue') + section('squeue', listed), MARK);
    expect(selectWalltimes(look, 0)).toEqual(NO_WALLTIMES);
    expect(parseSlurmJobs(own('tool squeue') + section('squeue', ''), MARK)).toMatchObject({
      kind: 'known',
      jobs: [],
    });
  });

  it('is had from scontrol, or from the job’s own environment, where there is no squeue', () => {
    const shown =
      'JobId=4412 JobName=x JobState=RUNNING RunTime=01:00:00 TimeLimit=04:00:00 Nodes=1';
    const text = own('job 4412\ntool scontrol') + section('scontrol', shown);
    expect(selectWalltimes(parseSlurmJobs(text, MARK), 0).ends).toEqual([
      { job: '4412', endMs: 3 * H },
    ]);
    const env = parseSlurmJobs(own('job 4412\nnow 1000\nends 4600'), MARK);
    expect(selectWalltimes(env, 0).ends).toEqual([{ job: '4412', endMs: H }]);
  });

  it('is not known, with a reason, where Slurm does not answer', () => {
    const error = 'slurm_load_jobs error: Unable to contact slurm controller (connect failure)';
    const look = parseSlurmJobs(own('tool squeue') + section('squeue', error, 1), MARK);
    expect(look).toEqual({ kind: 'unknown', because: `Slurm says: ${error}` });
    expect(selectWalltimes(look, 0)).toEqual(NO_WALLTIMES);
    expect(parseSlurmJobs(own('now 1'), MARK)).toMatchObject({
      because: 'this box has neither squeue nor scontrol',
    });
    expect(parseSlurmJobs('Last login: today', MARK).kind).toBe('unknown');
  });

  it('keeps what it cannot read apart, and never fails on it', () => {
    const listed = `${LISTED}\nsqueue: warning: x\n9|RUNNING|soon`;
    const look = parseSlurmJobs(own('tool squeue') + section('squeue', listed), MARK);
    expect(look).toMatchObject({ unreadable: ['squeue: warning: x'] });
    const random = noise(5);
    for (let i = 0; i < 50; i += 1) {
      const text = own('tool squeue') + section('squeue', damaged(LISTED, random));
      const { ends } = selectWalltimes(parseSlurmJobs(text, MARK), 0);
      expect(ends.every(({ endMs }) => endMs >= 0)).toBe(true);
    }
  });
});
