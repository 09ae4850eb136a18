import { describe, expect, it } from 'vitest';
import { commonFolder, diagnoseTensorboard, type TensorboardFacts } from './tensorboard.ts';

function facts(more: Partial<TensorboardFacts> = {}): TensorboardFacts {
  return {
    serving: null,
    processes: [],
    eventFolders: [],
    isSearchComplete: true,
    isForwardingRefused: false,
    ...more,
  };
}
const serving = { port: 6006, logdir: '/root/tf-logs', runs: 0 };
const events = ['/data/exp/a', '/data/exp/b/eval'];

describe('diagnoseTensorboard', () => {
  it('is clear when it shows runs', () => {
    expect(diagnoseTensorboard(facts({ serving: { ...serving, runs: 2 } }))).toEqual({
      kind: 'clear',
      cause: 'shows-runs',
      fixes: [],
    });
  });

  it('offers a link and a second one where a foreign TensorBoard reads another folder (U39, AD7)', () => {
    const processes = [{ pid: 7, logdir: '/root/tf-logs', ports: [6006], isOurs: false }];
    expect(diagnoseTensorboard(facts({ serving, processes, eventFolders: events }))).toEqual({
      kind: 'found',
      cause: 'wrong-folder',
      fixes: [
        { kind: 'link', from: '/data/exp', into: '/root/tf-logs' },
        { kind: 'start', logdir: '/data/exp', port: 6008 },
      ],
    });
  });

  it('offers to restart only the one that we started', () => {
    const processes = [{ pid: 7, logdir: '/root/tf-logs', ports: [6006], isOurs: true }];
    const { fixes } = diagnoseTensorboard(facts({ serving, processes, eventFolders: events }));
    expect(fixes).toContainEqual({ kind: 'restart', pid: 7, logdir: '/data/exp', port: 6006 });
  });

  it('does not take a neighbour with a longer name for a folder inside', () => {
    const finding = diagnoseTensorboard(facts({ serving, eventFolders: ['/root/tf-logs-old/a'] }));
    expect(finding.cause).toBe('wrong-folder');
  });

  it.each([
    [
      'files below its own folder',
      { serving, eventFolders: ['/root/tf-logs/a'] },
      'found',
      'no-events-yet',
    ],
    ['no file anywhere', { serving }, 'found', 'no-events-yet'],
    [
      'a search that was cut short',
      { serving, isSearchComplete: false },
      'unknown',
      'no-events-yet',
    ],
    ['no list of runs', { serving: { ...serving, runs: null } }, 'unknown', 'runs-unknown'],
    ['a box that forbids tunnels', { isForwardingRefused: true }, 'unknown', 'forwarding-refused'],
    ['nothing at all', {}, 'found', 'not-running'],
    [
      'a process that does not answer',
      { processes: [{ pid: 7, logdir: null, ports: [6006], isOurs: false }] },
      'found',
      'not-reachable',
    ],
  ] as const)('%s', (_what, more, kind, cause) => {
    expect(diagnoseTensorboard(facts(more))).toMatchObject({ kind, cause });
  });

  it('offers a start beside a process that has the usual port', () => {
    const processes = [{ pid: 7, logdir: null, ports: [6006], isOurs: false }];
    const { fixes } = diagnoseTensorboard(facts({ processes, eventFolders: events }));
    expect(fixes).toEqual([{ kind: 'start', logdir: '/data/exp', port: 6008 }]);
  });
});

describe('commonFolder', () => {
  it.each([
    [[], null],
    [['/a/b'], '/a/b'],
    [['/a/b/c', '/a/b/d'], '/a/b'],
    [['/a/b', '/a/b/d'], '/a/b'],
    [['/a/b', '/c/d'], null],
  ])('%j', (folders, expected) => {
    expect(commonFolder(folders)).toBe(expected);
  });
});
