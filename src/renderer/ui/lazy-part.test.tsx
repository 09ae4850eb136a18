import { act, cleanup, render, screen } from '@testing-library/react';
import { Suspense, useState, type ComponentType } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { holdPartsUntil, lazyPart, loadPartsWhenIdle } from './lazy-part.tsx';

function Part({ name }: { readonly name: string }) {
  const [first] = useState(name);
  return <p>{`${name}, first ${first}`}</p>;
}

let idle: (() => void)[];
beforeEach(() => {
  idle = [];
  vi.stubGlobal('requestIdleCallback', (then: () => void) => idle.push(then));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

async function becomeIdle(): Promise<void> {
  await act(async () => idle.shift()?.());
}

const shown = (Lazy: ComponentType<{ readonly name: string }>, name: string) => (
  <Suspense fallback={<p>loading</p>}>
    <Lazy name={name} />
  </Suspense>
);

describe('a part that loads later', () => {
  it('shows the fallback while it is loaded for the one who cannot wait, and then keeps its state', async () => {
    const load = vi.fn(async () => Part);
    const Lazy = lazyPart(load);
    const { rerender } = render(shown(Lazy, 'a'));
    expect(screen.getByText('loading')).toBeDefined();
    expect(await screen.findByText('a, first a')).toBeDefined();
    rerender(shown(Lazy, 'b'));
    expect(screen.getByText('b, first a')).toBeDefined();
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('shows at once when it was loaded while nothing else was to be done, one after the other', async () => {
    const parts = [1, 2].map(() => vi.fn(async () => Part));
    const [One, Two] = parts.map((load) => lazyPart(load));
    loadPartsWhenIdle();
    while (idle.length > 0) {
      expect(idle).toHaveLength(1);
      await becomeIdle();
    }
    for (const load of parts) expect(load).toHaveBeenCalledTimes(1);
    render(shown(One!, 'x'));
    render(shown(Two!, 'y'));
    expect(screen.queryByText('loading')).toBeNull();
    expect(screen.getByText('x, first x')).toBeDefined();
    expect(screen.getByText('y, first y')).toBeDefined();
  });

  it('is not even asked for before the moment that it is held until', async () => {
    let onPainted = (): void => undefined;
    holdPartsUntil(new Promise((resolve) => (onPainted = resolve)));
    const load = vi.fn(async () => Part);
    render(shown(lazyPart(load), 'a'));
    await act(async () => undefined);
    expect(load).not.toHaveBeenCalled();
    expect(screen.getByText('loading')).toBeDefined();
    onPainted();
    expect(await screen.findByText('a, first a')).toBeDefined();
  });
});
