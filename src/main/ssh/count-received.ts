import type { Duplex } from 'node:stream';

/**
 * Counts what arrives on a stream, along with whoever reads it. A listener put there before the reader's would set the stream
 * flowing while nobody takes the bytes.
 */
export function countReceived(stream: Duplex, onReceived: (bytes: number) => void): void {
  const along = (event: string | symbol): void => {
    if (event !== 'data') return;
    stream.off('newListener', along);
    stream.on('data', ({ length }: Buffer) => onReceived(length));
  };
  stream.on('newListener', along);
}
