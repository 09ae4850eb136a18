import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { ipcInputs } from '../../shared/ipc/contract.ts';
import { ok } from '../../shared/result.ts';
import { endpointsOf, findIn, type Endpoints } from './endpoints.ts';

const inputs = { 'app:quit': z.strictObject({}), 'link:connect': ipcInputs['link:connect'] };
const quit = vi.fn(() => ok(null));
const connect = vi.fn(() => ok(null));
const early = endpointsOf(inputs, { 'app:quit': quit });
const late = endpointsOf(inputs, { 'link:connect': connect });

describe('endpoints', () => {
  it('are found early without loading anything', async () => {
    const load = vi.fn<() => Promise<Endpoints>>();
    const found = await findIn(early, load)('app:quit');
    expect(found).toEqual({ input: inputs['app:quit'], handle: quit });
    expect(load).not.toHaveBeenCalled();
  });

  it('are loaded with the first message to one of the others', async () => {
    const found = await findIn(early, () => Promise.resolve(late))('link:connect');
    expect(found).toEqual({ input: inputs['link:connect'], handle: connect });
  });

  it.each(['nope', '__proto__', 'constructor', ''])('are not found under %j', async (channel) => {
    expect(await findIn(early, () => Promise.resolve(late))(channel)).toBeNull();
  });

  it('fail with what loading failed with', async () => {
    const find = findIn(early, () => Promise.reject(new Error('no engine')));
    await expect(find('link:connect')).rejects.toThrow('no engine');
  });
});
