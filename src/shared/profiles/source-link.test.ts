import { expect, it } from 'vitest';
import { sourceLink, sourcesOf } from './source-link.ts';

it.each([
  ['docs.runpod.io/pods/pricing', 'https://docs.runpod.io/pods/pricing'],
  ['docs.vast.ai (storage types, CLI commands)', 'https://docs.vast.ai/'],
  ['github.com/runpod/containers/issues/67', 'https://github.com/runpod/containers/issues/67'],
  [
    'github.com/googlecolab/colabtools#4151',
    'https://github.com/googlecolab/colabtools/issues/4151',
  ],
  ['kubernetes.io Jobs documentation', 'https://kubernetes.io/'],
  ['AutoDL console texts', null],
  ['our contract', null],
  ['evil.example/docs.runpod.io', null],
  ['docs.runpod.io.evil.example/x', null],
  ['https://docs.runpod.io/x', null],
  ['docs.runpod.io:8443/x', null],
  ['user@docs.runpod.io/x', null],
  ['docs.runpod.io/a?token=b', null],
  ['', null],
])('leads from %j to %j', (source, link) => {
  expect(sourceLink(source)).toBe(link);
});

it('stands for the whole list where the source of a fact was not noted', () => {
  expect(sourcesOf('sources', ['a', 'b'])).toEqual(['a', 'b']);
  expect(sourcesOf('a', ['a', 'b'])).toEqual(['a']);
});
