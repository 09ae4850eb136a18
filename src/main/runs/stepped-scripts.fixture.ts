import { problem } from '../../shared/problem.ts';
import { err } from '../../shared/result.ts';
import { onboxFolder } from '../onbox/onbox-scripts.fixture.ts';
import { OnboxScripts, type OnboxScript } from '../onbox/onbox-scripts.ts';

/** Before a script goes to the box, or after its answer came. */
export type Step = `${'before' | 'after'} ${OnboxScript}`;

/** The scripts as they ship, and a test that stands beside each step of what an app does on a box. */
export class SteppedScripts extends OnboxScripts {
  readonly #onStep: (step: Step) => Promise<'goes on' | 'is lost'>;

  /** `is lost`, after one: its answer does not reach the app. */
  constructor(onStep: (step: Step) => Promise<'goes on' | 'is lost'>) {
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
    return this.#step(script, () => super.stream(connection, script, ...more));
  }

  async #step<R>(script: OnboxScript, act: () => Promise<R>): Promise<R> {
    await this.#onStep(`before ${script}`);
    const done = await act();
    if ((await this.#onStep(`after ${script}`)) === 'goes on') return done;
    return err({ ...problem('link-lost', 'The link broke.'), mayHaveRun: true }) as R;
  }
}
