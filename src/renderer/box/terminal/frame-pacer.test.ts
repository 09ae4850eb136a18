import { Terminal } from '@xterm/xterm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FramePacer, paceFrames, type FrameSource } from './frame-pacer.ts';

const SCREENFUL = 2000;
const FLOOD = 64 * 1024;

/** A display whose frames come when the test says so. */
class Display implements FrameSource {
  readonly asked = new Map<number, FrameRequestCallback>();
  #lastId = 0;

  requestAnimationFrame(draw: FrameRequestCallback): number {
    this.#lastId += 1;
    this.asked.set(this.#lastId, draw);
    return this.#lastId;
  }

  cancelAnimationFrame(id: number): void {
    this.asked.delete(id);
  }

  frame(): void {
    const draws = [...this.asked.values()];
    this.asked.clear();
    for (const draw of draws) draw(performance.now());
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function setUp() {
  const display = new Display();
  const pacer = new FramePacer(display);
  let draws = 0;
  const ask = (): number => pacer.request(() => (draws += 1));
  return { display, pacer, ask, draws: () => draws };
}

describe('FramePacer', () => {
  it('gives the next frame while little is printed', () => {
    const { display, pacer, ask, draws } = setUp();
    for (let i = 1; i <= 3; i += 1) {
      pacer.received(SCREENFUL);
      ask();
      display.frame();
      expect(draws()).toBe(i);
    }
  });

  it('draws the beginning of a flood at once, then a frame every 50 ms', () => {
    const { display, pacer, ask, draws } = setUp();
    const flood = (): void => {
      pacer.received(FLOOD);
      ask();
      display.frame();
    };
    flood();
    expect(draws()).toBe(1);
    flood();
    vi.advanceTimersByTime(49);
    display.frame();
    expect(draws()).toBe(1);
    vi.advanceTimersByTime(1);
    display.frame();
    expect(draws()).toBe(2);
  });

  it('draws every 25 ms while somebody types into a flood, and a second after', () => {
    const { display, pacer, ask, draws } = setUp();
    const flood = (): void => {
      pacer.received(FLOOD);
      ask();
      display.frame();
    };
    flood();
    pacer.typed();
    flood();
    vi.advanceTimersByTime(24);
    display.frame();
    expect(draws()).toBe(1);
    vi.advanceTimersByTime(1);
    display.frame();
    expect(draws()).toBe(2);
    vi.advanceTimersByTime(1000);
    flood();
    flood();
    vi.advanceTimersByTime(49);
    display.frame();
    expect(draws()).toBe(3);
    vi.advanceTimersByTime(1);
    display.frame();
    expect(draws()).toBe(4);
  });

  it('keeps its pace where drawing itself asks for the next frame', () => {
    const { display, pacer } = setUp();
    let draws = 0;
    const draw = (): void => {
      draws += 1;
      pacer.request(draw);
    };
    pacer.received(FLOOD);
    draw();
    display.frame();
    display.frame();
    expect(draws).toBe(2);
    vi.advanceTimersByTime(50);
    display.frame();
    expect(draws).toBe(3);
  });

  it('draws the end of a flood without anything more to come, and is quick again after it', () => {
    const { display, pacer, ask, draws } = setUp();
    pacer.received(FLOOD);
    ask();
    display.frame();
    pacer.received(FLOOD);
    ask();
    vi.advanceTimersByTime(50);
    display.frame();
    expect(draws()).toBe(2);
    ask();
    vi.advanceTimersByTime(50);
    display.frame();
    ask();
    display.frame();
    expect(draws()).toBe(4);
  });

  it('does not draw what was cancelled, and leaves neither timer nor frame behind', () => {
    const { display, pacer, ask, draws } = setUp();
    const id = ask();
    pacer.cancel(id);
    display.frame();
    expect(draws()).toBe(0);
    ask();
    pacer.dispose();
    expect(display.asked.size).toBe(0);
    const other = setUp();
    other.pacer.received(FLOOD);
    other.ask();
    other.display.frame();
    other.pacer.received(FLOOD);
    other.ask();
    other.pacer.dispose();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('paceFrames', () => {
  let terminal: Terminal;
  let host: HTMLElement;
  beforeEach(() => {
    // jsdom has neither; what they answer does not matter here.
    vi.stubGlobal('matchMedia', () => ({ addListener: vi.fn(), removeListener: vi.fn() }));
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
    host = document.createElement('div');
    document.body.append(host);
    terminal = new Terminal();
    terminal.open(host);
  });
  afterEach(() => {
    terminal.dispose();
    host.remove();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  it('takes over every frame that a real xterm asks for', () => {
    const display = new Display();
    const pacer = new FramePacer(display);
    paceFrames(terminal, pacer);
    const elsewhere = vi.spyOn(window, 'requestAnimationFrame');
    terminal.refresh(0, 1);
    terminal.selectAll();
    expect(elsewhere).not.toHaveBeenCalled();
    expect(display.asked.size).toBe(1);
    pacer.dispose();
  });
});
