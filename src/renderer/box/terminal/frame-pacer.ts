import type { Terminal } from '@xterm/xterm';

/** More than this between two frames, a megabyte a second, is more than anybody reads. */
const FLOOD_BYTES = 16 * 1024;
/**
 * A frame costs about as much processor time as reading 200 KB of text, more where no card draws. At 20 a second a flood still
 * moves; at 60 it takes twice as long (decision 13).
 */
const FLOOD_FRAME_MS = 50;
/** Who types into a flood looks for the echo. */
const TYPED_FRAME_MS = 25;
const TYPING_MS = 1000;

export type FrameSource = Pick<Window, 'requestAnimationFrame' | 'cancelAnimationFrame'>;

/** What xterm.js (6.0) keeps to itself: the window that it asks for frames, and what puts its text field under the cursor. */
interface Internals {
  readonly _core: {
    readonly _coreBrowserService: { window: Window };
    _syncTextArea(): void;
  };
}

/**
 * Gives a terminal its frames: the next one while a person works with it, only twenty a second while text floods in, forty where
 * somebody types into the flood. All that
 * is asked for until then is done in one frame.
 */
export class FramePacer {
  readonly #frames: FrameSource;
  readonly #waiting = new Map<number, FrameRequestCallback>();
  #lastId = 0;
  #bytesSinceFrame = 0;
  #isFlooded = false;
  #drawnAtMs = -Infinity;
  #typedAtMs = -Infinity;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #frame: number | null = null;

  constructor(frames: FrameSource = window) {
    this.#frames = frames;
  }

  /** That much came from the box. */
  received(bytes: number): void {
    this.#bytesSinceFrame += bytes;
  }

  /** Somebody pressed a key. */
  typed(): void {
    this.#typedAtMs = performance.now();
  }

  request(draw: FrameRequestCallback): number {
    this.#lastId += 1;
    this.#waiting.set(this.#lastId, draw);
    if (this.#timer === null && this.#frame === null) this.#schedule();
    return this.#lastId;
  }

  cancel(id: number): void {
    this.#waiting.delete(id);
  }

  dispose(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#frame !== null) this.#frames.cancelAnimationFrame(this.#frame);
    this.#waiting.clear();
  }

  #schedule(): void {
    const isFlooded = this.#isFlooded || this.#bytesSinceFrame >= FLOOD_BYTES;
    const nowMs = performance.now();
    const frameMs = nowMs - this.#typedAtMs < TYPING_MS ? TYPED_FRAME_MS : FLOOD_FRAME_MS;
    const waitMs = isFlooded ? this.#drawnAtMs + frameMs - nowMs : 0;
    if (waitMs <= 0) this.#askForFrame();
    else this.#timer = setTimeout(() => this.#askForFrame(), waitMs);
  }

  #askForFrame(): void {
    this.#timer = null;
    this.#frame = this.#frames.requestAnimationFrame((atMs) => this.#drawAll(atMs));
  }

  #drawAll(atMs: number): void {
    this.#frame = null;
    this.#isFlooded = this.#bytesSinceFrame >= FLOOD_BYTES;
    this.#bytesSinceFrame = 0;
    this.#drawnAtMs = performance.now();
    const draws = [...this.#waiting.values()];
    this.#waiting.clear(); // what asks again while it draws belongs to the next frame
    for (const draw of draws) draw(atMs);
  }
}

/** Lets an opened terminal draw when the pacer says so. */
export function paceFrames(terminal: Terminal, pacer: FramePacer): void {
  const core = (terminal as unknown as Internals)._core;
  const browser = core._coreBrowserService;
  const paced: FrameSource = {
    requestAnimationFrame: (draw) => pacer.request(draw),
    cancelAnimationFrame: (id) => pacer.cancel(id),
  };
  browser.window = new Proxy(browser.window, {
    get: (target, name) => {
      if (Object.hasOwn(paced, name)) return paced[name as keyof FrameSource];
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (value as (...args: unknown[]) => unknown).bind(target); // a window's functions refuse another `this`
    },
  });
  // xterm moves its text field with each slice that it parses, and each move would be a frame of the whole page.
  const placeTextField = core._syncTextArea.bind(core);
  let isAsked = false;
  core._syncTextArea = () => {
    if (isAsked) return;
    isAsked = true;
    pacer.request(() => {
      isAsked = false;
      placeTextField();
    });
  };
}
