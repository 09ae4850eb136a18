import type { Duplex } from 'node:stream';

/**
 * Counts what arrives on a stream, along with whoever reads it. A listener put there before the reader's would set the stream
 * flowing while nobody takes the bytes.
 */
export function countReceived(stream: Duplex, onReceived: (bytes: number) => void): void {
  let isAlong = false;
  const along = (event: string | symbol): void => {
    // A second counter on the stream is told once more, of what the first one puts there.
    if (event !== 'data' || isAlong) return;
    isAlong = true;
    stream.off('newListener', along);
    stream.on('data', ({ length }: Buffer) => onReceived(length));
  };
  stream.on('newListener', along);
}

/** `onTooMuch` is called once where more than that arrives before the bound is lifted by what is returned. */
export function boundReceived(stream: Duplex, maxBytes: number, onTooMuch: () => void): () => void {
  let left = maxBytes;
  countReceived(stream, (bytes) => {
    if (left < 0) return;
    left -= bytes;
    if (left < 0) onTooMuch();
  });
  return () => (left = Infinity);
}
