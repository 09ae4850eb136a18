import { expect, it } from 'vitest';
import { watchedOn, type WatchedFields } from './places.ts';

const profile = (id: string, part: Partial<WatchedFields> = {}): WatchedFields => ({
  id,
  watched: [],
  looks: [],
  accelerators: [],
  traps: [],
  ports: { urlPatterns: [], tensorboard: { logdir: null } },
  ...part,
});
const logdir = (path: string): Pick<WatchedFields, 'ports'> => ({
  ports: { urlPatterns: [], tensorboard: { logdir: path } },
});

const ALL = [
  profile('a', {
    watched: [
      { path: '/a', for: 'quota' },
      { path: '/both', for: 'kept' },
    ],
    looks: ['pod-names'],
    accelerators: ['a.example.com', 'both.example.com'],
    ...logdir('/a/logs'),
  }),
  profile('b', {
    watched: [
      { path: '/b', for: 'quota' },
      { path: '/both', for: 'kept' },
    ],
    accelerators: ['both.example.com'],
    ...logdir('/b/... on notebooks'),
  }),
  profile('generic-ssh'),
];

it('gives a known platform its own places alone, and what is worth a look there', () => {
  const { platform, places, looks } = watchedOn('a', ALL);
  expect(platform).toBe('a');
  expect(places).toMatchObject({ quota: ['/a'], kept: ['/both'], volume: [] });
  expect(places['event-files']).toEqual(['/a/logs']);
  expect(looks).toEqual(['pod-names']);
});

it('gives a known platform its own accelerators, and those of all where nobody said', () => {
  expect(watchedOn('b', ALL).accelerators).toEqual(['both.example.com']);
  expect(watchedOn('generic-ssh', ALL).accelerators).toEqual(['a.example.com', 'both.example.com']);
  expect(watchedOn('gone', ALL).accelerators).toEqual([]);
});

it('takes for a folder of event files no sentence', () => {
  expect(watchedOn('b', ALL).places['event-files']).toEqual([]);
});

it.each([null, 'generic-ssh'])('gives the places of all where nobody said: %s', (platform) => {
  const { places, looks } = watchedOn(platform, ALL);
  expect(places).toMatchObject({ quota: ['/a', '/b'], kept: ['/both'] });
  expect(looks).toEqual([]);
});

it('gives nothing for a platform that no profile knows', () => {
  const { places, looks } = watchedOn('gone', ALL);
  expect(new Set(Object.values(places).flat())).toEqual(new Set());
  expect(looks).toEqual([]);
});

it('asks for a trap on its own platform only, and knows its web hosts on any', () => {
  const web = [
    'https://<id>-<port>.proxy.example.com',
    'https://fixed.example.net:8443/x',
    'by hand',
  ];
  const all = [
    profile('a', { traps: ['A1'], ports: { urlPatterns: web, tensorboard: { logdir: null } } }),
    profile('b', { traps: ['B1', 'B2'] }),
  ];
  expect(watchedOn('b', all).traps).toEqual(['B1', 'B2']);
  for (const platform of ['b', 'gone', null]) {
    expect(watchedOn(platform, all).webHosts['A1']).toEqual([
      'proxy.example.com',
      'fixed.example.net',
    ]);
  }
  expect(watchedOn('gone', all).traps).toEqual([]);
  expect(watchedOn(null, all).traps).toEqual([]);
});
