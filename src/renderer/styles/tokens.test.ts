import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const css = readFileSync(resolve('src/renderer/styles/tokens.css'), 'utf8');

type Tokens = ReadonlyMap<string, string>;

function tokensOf(selector: string): Tokens {
  const start = css.indexOf(`${selector} {`);
  const block = css.slice(start, css.indexOf('\n}\n', start));
  return new Map(
    [...block.matchAll(/(--[\w-]+):\s*(#[0-9a-f]{6});/g)].map(([, name = '', colour = '']) => [
      name,
      colour,
    ]),
  );
}

/** WCAG 2.2, "relative luminance" and "contrast ratio". */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return channel <= 0.03928 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

const SURFACES = ['--page', '--surface', '--surface-raised', '--surface-well', '--surface-hover'];
const WORDS = ['--text', '--text-muted', '--text-faint', '--accent'];
const STATUSES = ['ok', 'notice', 'warn', 'danger', 'unknown'].map((name) => `--status-${name}`);
const SERIES = ['sm', 'mem', 'clock', 'power', 'temperature', 'vram', 'pcie', 'extra'].map(
  (name) => `--series-${name}`,
);

const dark = tokensOf(':root');
const themes: Readonly<Record<string, Tokens>> = {
  dark,
  light: new Map([...dark, ...tokensOf('@media (prefers-color-scheme: light)')]),
};

/** An ink, the ground under it, and the least contrast between them. */
type Pair = readonly [string, string, number];
const on = (inks: readonly string[], grounds: readonly string[], least: number): Pair[] =>
  inks.flatMap((ink) => grounds.map((ground): Pair => [ink, ground, least]));

const PAIRS: readonly Pair[] = [
  ...on([...WORDS, ...STATUSES], SURFACES, 4.5),
  ...on(SERIES, ['--surface'], 4.5),
  ...on(['--accent-ink'], ['--accent'], 4.5),
  ...on(['--accent'], ['--accent-fill'], 4.5),
  ...['ok', 'notice', 'warn', 'danger'].flatMap((name) =>
    on([`--status-${name}`, '--text', '--text-muted'], [`--fill-${name}`], 4.5),
  ),
  // What only outlines a control or shows the focus needs 3:1 (WCAG 1.4.11).
  ...on(['--line-control', '--accent'], SURFACES, 3),
];

describe.each(Object.entries(themes))('the %s theme', (_name, tokens) => {
  it.each(PAIRS)('shows %s on %s with at least %d:1', (ink, ground, least) => {
    const [inkColour, groundColour] = [tokens.get(ink), tokens.get(ground)];
    if (inkColour === undefined || groundColour === undefined) {
      throw new Error(`tokens.css lacks ${ink} or ${ground}`);
    }
    expect(contrast(inkColour, groundColour)).toBeGreaterThanOrEqual(least);
  });
});
