/** What a service tells those in main who follow it, each thing as it happens. What a window sees goes through the hub. */
export class Source<T> {
  readonly #followers = new Set<(told: T) => void>();

  /** Returns how to stop. */
  follow(take: (told: T) => void): () => void {
    // One of its own for each call: the same function may follow twice.
    const follower = (told: T): void => take(told);
    this.#followers.add(follower);
    return () => this.#followers.delete(follower);
  }

  tell(what: T): void {
    for (const follower of this.#followers) follower(what);
  }
}

/** A source as those know it who only listen. */
export type Followed<T> = Pick<Source<T>, 'follow'>;

export interface OfBox<T> {
  readonly boxId: string;
  readonly value: T;
}
