// The end of a connection is a promise that lives for days, and whatever was hung on a promise stays there until it settles:
// each command and each tunnelled connection would leave its channel behind. So an end is told through a list that one can leave.

interface Ending {
  readonly listeners: Set<(value: never) => void>;
  isOver: boolean;
}

const endings = new WeakMap<Promise<unknown>, Ending>();

/** Like `end.then(listener)`, until the returned function is called. `end` never rejects. */
export function onEnd<T>(end: Promise<T>, listener: (value: T) => void): () => void {
  const ending = endings.get(end) ?? follow(end);
  if (ending.isOver) {
    void end.then(listener);
    return () => undefined;
  }
  // A function of its own for each, so that the same listener can wait twice.
  const wait = (value: T): void => listener(value);
  ending.listeners.add(wait);
  return () => void ending.listeners.delete(wait);
}

function follow<T>(end: Promise<T>): Ending {
  const ending: Ending = { listeners: new Set(), isOver: false };
  endings.set(end, ending);
  void end.then((value) => {
    ending.isOver = true;
    for (const listener of ending.listeners) listener(value as never);
    ending.listeners.clear();
  });
  return ending;
}

/** What comes first: the work, or what `answer` makes of the end. Nothing of the work is held once it is done. */
export function untilEnd<T, E, A>(
  work: Promise<T>,
  end: Promise<E>,
  answer: (ended: E) => A,
): Promise<T | A> {
  return new Promise((resolve, reject) => {
    const leave = onEnd(end, (ended) => resolve(answer(ended)));
    void work.then(resolve, reject).finally(leave);
  });
}
