import { describe, expect, it } from 'vitest';
import { parseBoxServices } from './box-services.ts';

const NOTHING = {
  tensorboards: [],
  jupyters: [],
  eventFolders: [],
  isSearchComplete: true,
  unreadable: [],
};

const lines = (...all: readonly string[]): string => all.join('\n');

describe('parseBoxServices', () => {
  it('reads processes, ports and folders', () => {
    const found = parseBoxServices(
      lines(
        'P 41',
        'C /root/project',
        'A /usr/bin/python3',
        'A /usr/local/bin/tensorboard',
        'A --logdir',
        'A ./runs',
        'A --port=6010',
        'N 6010',
        'P 42',
        'C /',
        'A python3',
        'A -m',
        'A tensorboard.main',
        'A --logdir=/data/exp',
        'O 42',
        'E /data/exp/a',
        'T',
      ),
    );
    expect(found).toEqual({
      ...NOTHING,
      tensorboards: [
        { pid: 41, logdir: '/root/project/runs', ports: [6010], isOurs: false },
        { pid: 42, logdir: '/data/exp', ports: [6006], isOurs: true },
      ],
      eventFolders: ['/data/exp/a'],
      isSearchComplete: false,
    });
  });

  it('takes no editor, grep or pip for a TensorBoard', () => {
    const found = parseBoxServices(
      lines(
        'P 5',
        'A vim',
        'A notes-on-tensorboard.txt',
        'P 6',
        'A pip',
        'A install',
        'A tensorboard-plugin',
      ),
    );
    expect(found.tensorboards).toEqual([]);
  });

  it('reads a Jupyter server and never repeats one that it cannot read', () => {
    const good = {
      port: 8888,
      token: 'abc123def456',
      base_url: '/lab/',
      root_dir: '/root',
      pid: 9,
    };
    const found = parseBoxServices(
      lines(`J ${JSON.stringify(good)}`, 'J {"port": 8889, "token": "cut-off-sec'),
    );
    expect(found.jupyters).toEqual([
      { pid: 9, port: 8888, basePath: '/lab/', folder: '/root', token: 'abc123def456' },
    ]);
    expect(found.unreadable).toEqual(['a Jupyter runtime file']);
  });

  it.each([
    ['a base path that leads elsewhere', { base_url: '//evil.example/' }, '/'],
    ['a base path with a query', { base_url: '/?x=' }, '/'],
  ])('refuses %s', (_what, more, basePath) => {
    const text = `J ${JSON.stringify({ port: 8888, token: 't', ...more })}`;
    expect(parseBoxServices(text).jupyters).toMatchObject([{ basePath }]);
  });

  it.each([
    'P 0',
    'P 1; rm -rf /',
    'N 6006',
    'A orphan',
    'C /orphan',
    'E relative/path',
    'O x',
    'N 70000',
    'anything else',
    `J {"port": 0, "token": ""}`,
    `J {"port": 8888, "token": "line\\nbreak"}`,
    `J {"port": 8888, "token": 5}`,
    'J [[[[[',
  ])('calls %j unreadable and goes on', (line) => {
    const found = parseBoxServices(lines(line, 'E /still/read'));
    expect(found).toEqual({
      ...NOTHING,
      eventFolders: ['/still/read'],
      unreadable: [line.startsWith('J') ? 'a Jupyter runtime file' : line],
    });
  });
});
