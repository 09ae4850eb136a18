import { lazy, useState, type ComponentType } from 'react';

const loaders: (() => Promise<unknown>)[] = [];

let permitted: Promise<void> = Promise.resolve();

/** Until then no part is loaded, also where one has its place in what is shown: its fallback stands there. */
export function holdPartsUntil(moment: Promise<void>): void {
  permitted = moment;
}

/**
 * A part of the window that its first picture does without: it comes soon after that, or when it is shown before. Once it is
 * there it shows at once, where React's own `lazy` would put the fallback in its place for a third of a second.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;
  let loading: Promise<ComponentType<Props>> | null = null;
  const start = (): Promise<ComponentType<Props>> => {
    loading ??= load().then((component) => (loaded = component));
    return loading;
  };
  const Waiting = lazy(async () => {
    await permitted;
    return { default: await start() };
  });
  loaders.push(start);
  return function LazyPart(props: Props) {
    // Chosen once: another component in its place would forget what the person typed.
    const [Part] = useState<ComponentType<Props>>(() => loaded ?? Waiting);
    return <Part {...props} />;
  };
}

/** Loads them one after the other, each in a moment in which nothing else is to be done. */
export function loadPartsWhenIdle(): void {
  const next = loaders.shift();
  if (next !== undefined) requestIdleCallback(() => void next().then(loadPartsWhenIdle));
}
