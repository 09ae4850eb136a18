import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import { gpuFactsStream, gpuMarksStream } from '../../shared/streams/gpu-facts-stream.ts';
import {
  emptyReadings,
  readingsStream,
  readingsToWire,
  type ReadingsDelta,
  type ReadingsState,
} from '../../shared/streams/readings-stream.ts';
import { NO_GPU_FACTS } from '../../shared/telemetry/gpu-facts.ts';
import type { Log } from '../log/log.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import type { StreamHub, Topic } from '../streams/stream-hub.ts';
import { watchGpus } from './gpu-watch.ts';

export interface BoxTelemetryOptions {
  readonly boxId: string;
  readonly hub: StreamHub;
  readonly log: Log;
  readonly onChange: (part: Partial<Pick<FleetEntry, 'telemetry' | 'gpus' | 'latest'>>) => void;
}

/** What is known of one box's GPUs over time, across its links. */
export class BoxTelemetry {
  readonly #options: BoxTelemetryOptions;
  readonly #readings: Topic<ReadingsState, ReadingsDelta>;
  #stopWatching: () => void = () => undefined;

  constructor(options: BoxTelemetryOptions) {
    this.#options = options;
    const { hub, boxId } = options;
    this.#readings = hub.addTopic('readings', boxId, {
      kind: readingsStream,
      initial: emptyReadings(),
      toWire: readingsToWire,
    });
    hub.addTopic('gpu-facts', boxId, { kind: gpuFactsStream, initial: NO_GPU_FACTS });
    hub.addTopic('gpu-marks', boxId, { kind: gpuMarksStream, initial: [] });
  }

  get readings(): ReadingsState {
    return this.#readings.state;
  }

  /** Null: the link went down. */
  useConnection(connection: SshConnection | null): void {
    const { log, onChange } = this.#options;
    this.#stopWatching();
    this.#stopWatching = () => undefined;
    if (connection === null) {
      onChange({ telemetry: { kind: 'off' } });
      return;
    }
    this.#stopWatching = watchGpus(connection, {
      log,
      onFacts: (gpus) => {
        this.#readings.publish({ kind: 'cards', cards: gpus });
        onChange({ gpus });
      },
      onState: (telemetry) => onChange({ telemetry }),
      onReadings: (latest) => {
        this.#readings.publish({ kind: 'cycle', ...latest });
        onChange({ latest });
      },
    });
  }

  close(): void {
    this.#stopWatching();
    const { hub, boxId } = this.#options;
    hub.removeTopic('readings', boxId);
    hub.removeTopic('gpu-facts', boxId);
    hub.removeTopic('gpu-marks', boxId);
  }
}
