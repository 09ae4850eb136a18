import { useView, type Page } from './view.ts';

/** Nothing leads back to a box that is no more, nor to the page that is shown instead. */
export function boxForgotten(boxId: string): void {
  useView.setState(({ page, past }) => {
    const isOwn = (each: Page): boolean =>
      (each.kind === 'box' || each.kind === 'costs') && each.boxId === boxId;
    const next: Page = isOwn(page) ? { kind: 'fleet' } : page;
    const left: Page[] = [];
    for (const each of past.filter((one) => !isOwn(one))) {
      if (JSON.stringify(each) !== JSON.stringify(left.at(-1))) left.push(each);
    }
    while (JSON.stringify(left.at(-1)) === JSON.stringify(next)) left.pop();
    return { page: next, past: left };
  });
}
