import { describe, expect, it } from 'vitest';
import { buildIndex, search } from '../../shared/gotchas/search.ts';
import { labelledTexts, shippedGotchas } from './gotchas.fixture.ts';

const index = buildIndex(shippedGotchas());
const texts = labelledTexts();
const found = (text: string) => search(index, text).hits;

describe('what people paste and type', () => {
  it.each(texts.filter(({ expected }) => expected !== null))(
    '$name: the entry is among the first three',
    ({ expected, text }) => {
      const first = found(text).slice(0, 3);
      expect(first.map(({ id }) => id)).toContain(expected);
    },
  );

  it.each(texts.filter(({ expected }) => expected === null))(
    '$name shows no sign of anything',
    ({ text }) => {
      expect(found(text).filter(({ reason }) => reason.kind === 'sign')).toEqual([]);
    },
  );

  it('is most often the very first', () => {
    const labelled = texts.filter(({ expected }) => expected !== null);
    const first = labelled.filter(({ expected, text }) => found(text)[0]?.id === expected);
    expect(labelled.length).toBeGreaterThanOrEqual(100);
    expect(first.length / labelled.length).toBeGreaterThanOrEqual(0.9);
  });
});

describe('search', () => {
  it('puts an entry that was named by its id first', () => {
    expect(found('u4')[0]).toEqual({
      id: 'U4',
      score: expect.any(Number) as number,
      reason: { kind: 'id' },
    });
    expect(found('see #AD-DANGER')[0]?.id).toBe('AD-DANGER');
  });

  it('takes no id from a log: T4 is a card, and PS1 a prompt', () => {
    const log =
      'Using GPU: Tesla T4\nPS1=$\nTraceback (most recent call last):\nCUDA out of memory';
    expect(found(log)[0]?.id).toBe('U10');
    expect(found(log).every(({ reason }) => reason.kind !== 'id')).toBe(true);
  });

  it('takes the generation of a link for no id', () => {
    expect(found('card runs at pcie gen1 x4')[0]?.id).toBe('PCIE');
    expect(found('gen1')[0]?.id).toBe('GEN1');
  });

  it('says which line was the sign, as it was pasted', () => {
    const [hit] = found('epoch 1\nRuntimeError: CUDA out of memory. Tried to allocate\nbye');
    expect(hit?.reason).toEqual({
      kind: 'sign',
      sign: 'CUDA out of memory',
      line: 'RuntimeError: CUDA out of memory. Tried to allocate',
    });
  });

  it('finds what is only half typed', () => {
    expect(
      found('thrott')
        .slice(0, 3)
        .map(({ id }) => id),
    ).toContain('U23');
  });

  it('puts entries of the platform of which the log speaks before those of others', () => {
    const full = 'OSError: [Errno 28] No space left on device: /root/autodl-fs/a\n';
    const ids = found(full).map(({ id }) => id);
    expect(ids.indexOf('AD4')).toBeLessThan(ids.indexOf('RP11') === -1 ? 99 : ids.indexOf('RP11'));
    expect(ids.slice(0, 3)).toContain('AD4');
  });

  it.each(texts.filter(({ expected }) => expected === null))(
    'says of $name that nothing fits',
    ({ text }) => {
      expect(found(text)).toEqual([]);
    },
  );

  it.each([
    'javascript async await tutorial',
    'best pizza near me',
    'resnet accuracy too low on cifar',
    'TypeError: cannot read properties of undefined',
    'ValueError: operands could not be broadcast together with shapes (3,) (4,)',
  ])('says of %j that nothing fits, and makes no guess of its words', (text) => {
    expect(found(text)).toEqual([]);
  });

  it('does not lead with what the run has survived', () => {
    const caught =
      'RuntimeError: CUDA out of memory. Tried to allocate 2 GiB\nretrying with half of it\n';
    const steps = Array.from({ length: 9 }, (_, i) => `step ${i} loss 2.${i}\n`).join('');
    expect(found(caught)[0]?.id).toBe('U10');
    expect(found(caught + steps)).toEqual([]);
    const full = 'OSError: [Errno 28] No space left on device\n';
    const ids = found(caught + steps + full).map(({ id }) => id);
    expect(ids).toContain('U6');
    expect(ids).not.toContain('U10');
    // What warns of something and ends nothing is said at the beginning, and stays a sign.
    const workers = 'UserWarning: Our suggested max number of worker in current system is 2\n';
    expect(found(workers + steps)[0]?.id).toBe('U40');
  });

  it('takes an id that is a word for an id where nothing else was typed', () => {
    expect(found('idle')[0]?.reason.kind).toBe('id');
    expect(found('IDLE box')[0]?.reason.kind).toBe('id');
    expect(found('it is billed while idle').every(({ reason }) => reason.kind !== 'id')).toBe(true);
  });

  it.each(['', ' \n\t', '\u0000\u001b[31m'])('finds nothing in %j', (text) => {
    expect(found(text)).toEqual([]);
  });

  it('sees through colours and carriage returns', () => {
    const coloured = '\u001b[1;31mRuntimeError: CUDA \u001b[0mout of memory\r\nx\r\n';
    expect(found(coloured)[0]?.id).toBe('U10');
  });

  it('reads of a long text the beginning and the end, and says so', () => {
    const filler = 'as it is\n'.repeat(200_000);
    const ended = search(index, `${filler}CUDA out of memory\n`);
    expect(ended.isCut).toBe(true);
    expect(ended.hits[0]?.id).toBe('U10');
    expect(search(index, `CUDA out of memory\n${filler}`).hits[0]?.id).toBe('U10');
    expect(search(index, `${filler}CUDA out of memory\n${filler}`).hits[0]?.reason.kind).not.toBe(
      'sign',
    );
    expect(search(index, 'short').isCut).toBe(false);
  });

  it('bounds the line that it shows, also where a line has a megabyte', () => {
    const line = `${'x'.repeat(600_000)} CUDA out of memory ${'y'.repeat(100_000)}`;
    const [hit] = search(index, `a\n${line}`).hits;
    expect(hit?.reason.kind).toBe('sign');
    if (hit?.reason.kind === 'sign') {
      expect(hit.reason.line.length).toBeLessThanOrEqual(240);
      expect(hit.reason.line).toContain('CUDA out of memory');
    }
  });
});
