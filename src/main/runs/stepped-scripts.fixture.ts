import { problem } from '../../shared/problem.ts';
import { err, ok } from '../../shared/result.ts';
import { onboxFolder } from '../onbox/onbox-scripts.fixture.ts';
import { OnboxScripts, type OnboxScript } from '../onbox/onbox-scripts.ts';

/** Before a script goes to the box, or after its answer came. */
export type Step = `${'before' | 'after'} ${OnboxScript}`;

/** After one: its answer does not reach the app, or, of one that answers bytes, only the beginning of it. */
type Course = 'goes on' | 'is lost' | 'is cut short';
const CUT_BYTES = 40;

/** The scripts as they ship, and a test that stands beside each step of what an app does on a box. */
export class SteppedScripts extends OnboxScripts {
  readonly #onStep: (step: Step) => Promise<Course>;

  constructor(onStep: (step: Step) => Promise<Course>) {
    super(onboxFolder);
    this.#onStep = onStep;
  }

  override run: OnboxScripts['run'] = (connection, script, ...more) =>
    this.#step(script, () => super.run(connection, script, ...more));

  override runWithInput: OnboxScripts['runWithInput'] = (connection, script, ...more) =>
    this.#step(script, () => super.runWithInput(connection, script, ...more));

  override stream<T>(
    ...[connection, script, ...more]: Parameters<typeof OnboxScripts.prototype.stream<T>>
  ): ReturnType<typeof OnboxScripts.prototype.stream<T>> {
    return this.#step(
      script,
      () => super.stream(connection, script, ...more),
      (done) => {
        if (!done.ok || !Buffer.isBuffer(done.value.value)) return done;
        return ok({ ...done.value, value: done.value.value.subarray(0, CUT_BYTES) as T });
      },
    );
  }

  async #step<R>(
    script: OnboxScript,
    act: () => Promise<R>,
    cutShort = (done: R): R => done,
  ): Promise<R> {
    await this.#onStep(`before ${script}`);
    const done = await act();
    const course = await this.#onStep(`after ${script}`);
    if (course === 'goes on') return done;
    if (course === 'is cut short') return cutShort(done);
    return err({ ...problem('link-lost', 'The link broke.'), mayHaveRun: true }) as R;
  }
}
