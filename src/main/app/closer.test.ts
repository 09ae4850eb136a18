import { expect, it } from 'vitest';
import { Closer } from './closer.ts';

function opened(): { readonly closer: Closer; readonly closed: string[] } {
  return { closer: new Closer(), closed: [] };
}

it('closes the newest first, one after the other, and each once', async () => {
  const { closer, closed } = opened();
  closer.add(() => closed.push('ground'));
  closer.add(async () => {
    closed.push('wing begins');
    await Promise.resolve();
    closed.push('wing ends');
  });
  closer.add(() => closed.push('service'));
  await closer.close();
  await closer.close();
  expect(closed).toEqual(['service', 'wing begins', 'wing ends', 'ground']);
});

it('closes the rest where something fails to, and says what did', async () => {
  const { closer, closed } = opened();
  closer.add(() => closed.push('ground'));
  closer.add(() => Promise.reject(new Error('stuck')));
  await expect(closer.close()).rejects.toThrow('stuck');
  expect(closed).toEqual(['ground']);
  for (const failure of ['one', 'two']) {
    closer.add(() => {
      throw new Error(failure);
    });
  }
  await expect(closer.close()).rejects.toMatchObject({
    errors: [{ message: 'two' }, { message: 'one' }],
  });
});
