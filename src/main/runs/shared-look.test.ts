import { expect, it } from 'vitest';
import { SharedLook } from './shared-look.ts';

it('serves all who ask meanwhile with the one after it, and each with one that began after they asked', async () => {
  const answers: ((no: number) => void)[] = [];
  const look = new SharedLook(() => new Promise<number>((answer) => answers.push(answer)));
  const first = look.next();
  await Promise.resolve();
  expect(answers).toHaveLength(1);
  const others = Array.from({ length: 24 }, () => look.next());
  answers[0]?.(1);
  expect(await first).toBe(1);
  const settled = look.settled();
  answers[1]?.(2);
  expect(await Promise.all(others)).toEqual(Array.from({ length: 24 }, () => 2));
  await settled;
  expect(answers).toHaveLength(2);
  const again = look.next();
  await Promise.resolve();
  answers[2]?.(3);
  expect(await again).toBe(3);
});
