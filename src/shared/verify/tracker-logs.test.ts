import { expect, it } from 'vitest';
import { trackerLogsAmong } from './tracker-logs.ts';

const RUN = 'wandb/offline-run-20261126_060544-xyqvjojt/run-xyqvjojt.wandb';
const ONLINE = 'out/wandb/run-20261126_060545-9sm8l8gn/run-9sm8l8gn.wandb';

const states = (...paths: readonly string[]) =>
  trackerLogsAmong(paths).map(({ tracker, state }) => `${tracker}: ${state}`);

it('a run of wandb that was written offline is not uploaded until its mark lies beside it', () => {
  expect(states(RUN)).toEqual(['wandb: not uploaded']);
  expect(states(RUN, `${RUN}.synced`)).toEqual(['wandb: uploaded']);
  // The mark of another run says nothing of this one.
  expect(states(RUN, `${ONLINE}.synced`)).toEqual(['wandb: not uploaded']);
});

it('of a run that was sent as it was written its name says nothing', () => {
  expect(states(ONLINE)).toEqual(['wandb: unknown']);
});

it('files of TensorBoard and of trackio are told, and nothing else is', () => {
  expect(
    states('logs/events.out.tfevents.1.box', 'trackio/demo.db', 'other/demo.db', 'run-1.wandb'),
  ).toEqual(['tensorboard: only here', 'trackio: unknown']);
});
