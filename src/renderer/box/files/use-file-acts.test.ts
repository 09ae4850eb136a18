import { act, renderHook } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { TransferReport } from '../../../shared/files/file-transfer.ts';
import type { LeaseholdBridge } from '../../../shared/ipc/contract.ts';
import { problem } from '../../../shared/problem.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { useFileActs } from './use-file-acts.ts';

const REPORT: TransferReport = { way: 'download', to: '/here', files: 3, bytes: 9, left: [] };

it('what came of a download is there for whoever was at another tab meanwhile, of that box alone', async () => {
  let answer: (report: Result<TransferReport, never>) => void = () => undefined;
  const call = (): Promise<unknown> => new Promise((resolve) => (answer = resolve));
  const bridge = { call, on: () => () => undefined } as unknown as LeaseholdBridge;
  Object.assign(window, { leasehold: bridge });
  const show = (boxId: string) => renderHook(() => useFileActs(boxId, () => undefined));
  const first = show('b1');
  act(() => first.result.current.download(['/data/a']));
  expect(first.result.current.isBusy).toBe(true);
  first.unmount();
  expect(show('b1').result.current.isBusy).toBe(true);
  await act(() => {
    answer(ok(REPORT));
    return Promise.resolve();
  });
  const again = show('b1');
  expect(again.result.current).toMatchObject({
    ...{ isBusy: false, end: { kind: 'copied', report: REPORT } },
  });
  expect(show('b2').result.current).toMatchObject({ isBusy: false, end: null });
  act(() => again.result.current.leave());
  expect(show('b1').result.current.end).toBeNull();
});

it.each([true, false])(
  'what is dragged is handed to the system once it is here, where it is still held: %s',
  async (isHeld) => {
    const asked: string[] = [];
    const call = (channel: string): Promise<unknown> => {
      asked.push(channel);
      return Promise.resolve(ok(channel === 'files:drag' ? null : REPORT));
    };
    const bridge = { call, on: () => () => undefined } as unknown as LeaseholdBridge;
    Object.assign(window, { leasehold: bridge });
    const shown = renderHook(() => useFileActs('b3', () => undefined));
    await act(() => {
      shown.result.current.dragOut(['/data/a'], () => isHeld);
      return Promise.resolve();
    });
    await vi.waitFor(() => expect(shown.result.current.isBusy).toBe(false));
    expect(asked).toEqual(['files:fetch-for-drag', ...(isHeld ? ['files:drag'] : [])]);
    const end = isHeld ? null : { kind: 'fetched', report: REPORT };
    expect(shown.result.current.end).toEqual(end);
  },
);

it('what was not copied is said until something that is dragged has come', async () => {
  const left = [{ path: '/data/a', problem: problem('aborted', 'Copying was stopped.') }];
  let answer: (report: Result<TransferReport, never>) => void = () => undefined;
  const call = (channel: string): Promise<unknown> =>
    channel === 'files:download'
      ? Promise.resolve(ok({ ...REPORT, left }))
      : new Promise((resolve) => (answer = resolve));
  const bridge = { call, on: () => () => undefined } as unknown as LeaseholdBridge;
  Object.assign(window, { leasehold: bridge });
  const shown = renderHook(() => useFileActs('b4', () => undefined));
  act(() => shown.result.current.download(['/data/a']));
  await vi.waitFor(() => expect(shown.result.current.end).not.toBeNull());
  act(() => shown.result.current.dragOut(['/data/b'], () => false));
  expect(shown.result.current).toMatchObject({ isBusy: true, end: { report: { left } } });
  await act(() => {
    answer(ok(REPORT));
    return Promise.resolve();
  });
  await vi.waitFor(() =>
    expect(shown.result.current.end).toEqual({ kind: 'fetched', report: REPORT }),
  );
});
