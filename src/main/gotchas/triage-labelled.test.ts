import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { FAILURE_WORDS } from '../../shared/triage/failure-words.ts';
import { failureIds, failures } from '../../shared/triage/failures.ts';
import { triage, type Triage } from '../../shared/triage/triage.ts';
import { shippedGotchas } from './gotchas.fixture.ts';

const SAMPLES = fileURLToPath(new URL('../../shared/triage/samples/', import.meta.url));
const names = readdirSync(SAMPLES).sort();
const ids = new Set(shippedGotchas().map(({ id }) => id));
const of = triage;
const sample = (name: string): Triage => of(readFileSync(`${SAMPLES}${name}`, 'utf8'));
const labelOf = (answer: Triage): string =>
  answer.kind === 'found' ? answer.failure.id : answer.kind;

describe('the end of a log', () => {
  it.each(names)('%s', (name) => {
    expect(labelOf(sample(name))).toBe(name.split('--')[0]);
  });

  it('has a case of each failure, of a good end, and of what cannot be told', () => {
    const labels = new Set(names.map((name) => name.split('--')[0]));
    expect([...labels].sort()).toEqual([...failureIds, 'clear', 'unknown'].sort());
  });
});

describe('triage', () => {
  it('names the line it rests on, and why nothing can be told', () => {
    expect(sample('code-or-config--key-error.txt')).toMatchObject({ line: "KeyError: 'labels'" });
    expect(sample('unknown--unknown-exception.txt')).toEqual({
      kind: 'unknown',
      because: 'FrobnicationError is in none of the known classes',
    });
  });

  it('says what proves that a bare "Killed" was the memory, unless the log does', () => {
    expect(sample('host-memory--bare-killed.txt')).toMatchObject({
      caveat: expect.stringContaining('oom_kill') as string,
    });
    expect(sample('host-memory--slurm.txt')).toMatchObject({ caveat: null });
    expect(sample('gpu-memory--torch.txt')).toMatchObject({ caveat: null });
  });

  it('answers for megabytes, one long line, and bytes that are none of a log', () => {
    expect(labelOf(of(`${'x\n'.repeat(2_000_000)}CUDA out of memory`))).toBe('gpu-memory');
    expect(of('a.'.repeat(1_000_000)).kind).toBe('unknown');
    expect(of('\u0000\u001b[31m\u0007').kind).toBe('unknown');
  });

  it('leads to entries that there are', () => {
    const told = [
      ...failures.map(({ entry }) => entry),
      ...FAILURE_WORDS.map(({ gotcha }) => gotcha),
    ];
    expect(told.filter((id) => id !== null && !ids.has(id))).toEqual([]);
  });
});
