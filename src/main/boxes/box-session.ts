import { isKeyQuestion, type Box } from '../../shared/boxes/box.ts';
import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import {
  emptyReadings,
  readingsStream,
  readingsToWire,
} from '../../shared/streams/readings-stream.ts';
import { Link, type LinkOptions } from '../ssh/link.ts';
import type { StreamHub } from '../streams/stream-hub.ts';
import { watchGpus } from '../telemetry/gpu-watch.ts';
import type { LinkFollower } from '../tunnels/tunnels.ts';
import { FlavourWatch } from './flavour-watch.ts';

export interface BoxSessionOptions extends Pick<
  LinkOptions,
  'hostKeys' | 'gatherCredentials' | 'proxyPassword' | 'log'
> {
  readonly box: Box;
  readonly hub: StreamHub;
  readonly tunnels: LinkFollower;
  readonly onChange: (part: Partial<Omit<FleetEntry, 'box'>>) => void;
}

/** One box while it is in the list: its link, and the watches that live as long as the link is up. */
export interface BoxSession {
  readonly link: Link;
  readonly flavour: FlavourWatch;
  /** The box is reached another way from now on. */
  moveTo(box: Box): void;
  close(): void;
}

export function openBoxSession(options: BoxSessionOptions): BoxSession {
  const { box, hub, tunnels, log, hostKeys, gatherCredentials, proxyPassword, onChange } = options;
  const readings = hub.addTopic('readings', box.id, {
    kind: readingsStream,
    initial: emptyReadings(),
    toWire: readingsToWire,
  });
  let stopWatching: () => void = () => undefined;
  let { host } = box.address;
  const flavour = new FlavourWatch({
    host: () => host,
    log,
    onState: (state) => onChange({ flavour: state }),
  });

  const link: Link = new Link({
    box,
    hostKeys,
    gatherCredentials,
    proxyPassword,
    log,
    onChange: (state) => {
      stopWatching();
      stopWatching = () => undefined;
      const { connection } = link;
      tunnels.useConnection(connection);
      // A key that must be judged may be that of another machine.
      if (isKeyQuestion(state)) flavour.forget();
      flavour.useConnection(connection);
      onChange(connection === null ? { link: state, telemetry: { kind: 'off' } } : { link: state });
      if (connection === null) return;
      stopWatching = watchGpus(connection, {
        log,
        onFacts: (gpus) => onChange({ gpus }),
        onState: (telemetry) => {
          onChange({ telemetry });
          if (telemetry.kind !== 'starting') flavour.firstReadingsAreDone();
        },
        onReadings: (latest) => {
          readings.publish(latest);
          onChange({ latest });
        },
      });
    },
  });

  return {
    link,
    flavour,
    moveTo: (moved) => {
      ({ host } = moved.address);
      flavour.forget();
      link.moveTo(moved);
    },
    close: () => {
      stopWatching();
      flavour.close();
      tunnels.close();
      link.disconnect();
      hub.removeTopic('readings', box.id);
    },
  };
}
