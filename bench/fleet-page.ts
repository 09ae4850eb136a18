// What fleet.bench.ts does inside the window. Each function is sent there as text, so it holds all that it needs.

export interface Painted {
  readonly value: number;
  readonly atMs: number;
}

export interface Frames {
  /** From one frame's callback to the next one's. */
  readonly intervalMs: readonly number[];
  /** From a frame's callback to the end of its painting: what scripts, styles and layout took of it. */
  readonly workMs: readonly number[];
}

export interface FleetProbe {
  takePainted(): readonly Painted[];
  takeFrames(): Frames;
}

/** Every per-cent figure that appears under `root`, with the time at which it had been painted; and every frame. */
export function watchFleet(selector: string): void {
  const root = document.querySelector(selector);
  if (root === null) throw new Error(`nothing is at ${selector}`);
  const painted: { value: number; atMs: number }[] = [];
  const intervalMs: number[] = [];
  const workMs: number[] = [];
  let waiting: number[] = [];
  const { port1, port2 } = new MessageChannel();
  let frameAtMs = 0;

  const textOf = (node: Node): string =>
    node.nodeType === Node.TEXT_NODE
      ? (node.parentElement?.textContent ?? '')
      : (node.textContent ?? '');
  new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records) {
      const nodes = type === 'characterData' ? [target] : [...addedNodes];
      for (const node of nodes) {
        for (const [, digits] of textOf(node).matchAll(/(\d+)\s%/g)) waiting.push(Number(digits));
      }
    }
  }).observe(root, { subtree: true, childList: true, characterData: true });

  // A message that is posted in the frame's callback arrives when the frame has been painted.
  port1.onmessage = ({ data }: MessageEvent<readonly number[]>) => {
    const atMs = Date.now();
    workMs.push(performance.now() - frameAtMs);
    for (const value of data) painted.push({ value, atMs });
  };
  const frame = (atMs: number): void => {
    if (frameAtMs > 0) intervalMs.push(atMs - lastMs);
    lastMs = atMs;
    frameAtMs = performance.now();
    port2.postMessage(waiting);
    waiting = [];
    requestAnimationFrame(frame);
  };
  let lastMs = 0;
  requestAnimationFrame(frame);

  (window as unknown as { fleetProbe: FleetProbe }).fleetProbe = {
    takePainted: () => painted.splice(0),
    takeFrames: () => ({ intervalMs: intervalMs.splice(0), workMs: workMs.splice(0) }),
  };
}

/** What main holds of each card of these boxes: the numbers of the samples, which stand for the memory clock. */
export async function readSamples(boxIds: readonly string[]): Promise<readonly number[][][]> {
  const samples: number[][][] = [];
  for (const key of boxIds) {
    const opened = await window.leasehold.call('stream:open', { stream: 'readings', key });
    if (!opened.ok) throw new Error(opened.error.message);
    const { subscription, state } = opened.value;
    await window.leasehold.call('stream:close', { subscription });
    const gpus = state as readonly { columns: { values: Record<string, Float32Array> } }[];
    samples.push(gpus.map(({ columns }) => [...(columns.values['memoryClockMHz'] ?? [])]));
  }
  return samples;
}
