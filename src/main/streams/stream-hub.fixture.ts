import type { IpcStreams, StreamName } from '../../shared/ipc/streams.ts';
import { StreamHub, type Topic, type TopicOptions } from './stream-hub.ts';

/** A hub in which a test hears each delta at the moment at which it is published. */
export class HeardHub extends StreamHub {
  readonly #hearers = new Map<string, ((delta: unknown) => void)[]>();

  override addTopic<State, Delta>(
    stream: StreamName,
    key: string,
    options: TopicOptions<State, Delta>,
  ): Topic<State, Delta> {
    const topic = super.addTopic(stream, key, options);
    return {
      get state() {
        return topic.state;
      },
      get isWatched() {
        return topic.isWatched;
      },
      publish: (delta) => {
        topic.publish(delta);
        for (const take of this.#hearers.get(`${stream}:${key}`) ?? []) take(delta);
      },
    };
  }

  hear<N extends StreamName>(
    stream: N,
    key: string,
    take: (delta: IpcStreams[N]['delta']) => void,
  ): void {
    const name = `${stream}:${key}`;
    const hearer = take as (delta: unknown) => void;
    this.#hearers.set(name, [...(this.#hearers.get(name) ?? []), hearer]);
  }
}
