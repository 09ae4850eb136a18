import type { ByteSource } from '../byte-source.ts';
import { NotLoadable } from '../damage.ts';
import type { Format, Reading } from '../reading.ts';
import { isOfTorch } from './beginning.ts';
import type { Checkpoint } from './checkpoint.ts';
import { openTorchLegacy, readTorchLegacy } from './torch-legacy.ts';
import { openTorchZip, readTorchZip } from './torch-zip.ts';

const ZIP = 'PK';
const PICKLE = '\x80';
const ZIP_END = 'PK\x05\x06';
const ZIP_END_BYTES = 22;
const TAR_MARK_AT = 257;

const textOf = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

/** Names that are torch's own: what begins otherwise is damaged. */
export const torch: Format = {
  name: 'torch',
  ends: /(?:\.(?:pt|pth)(?:\.tar)?|(?:^|\/)(?:\w*pytorch_model\b[^/]*|training_args|optimizer|scheduler|adapter_model)\.bin)$/i,
  open: openTorch,
};

/** Names that others have as well. */
export const torchByBeginning: Format = {
  name: 'torch',
  ends: /\.(?:bin|ckpt)$/i,
  begins: (head) => {
    const text = textOf(head);
    return text.startsWith('PK\x03\x04') || /^\x80[\x02-\x05]/.test(text);
  },
  open: openTorch,
};

/** What a full disk leaves of a checkpoint; other programs have none of that name without a byte in it either. */
export const torchEmpty: Format = {
  name: 'torch',
  ends: /\.ckpt$/i,
  begins: (head) => head.length === 0,
  open: openTorch,
};

/** Accelerate saves under names of pickles. */
export const torchAmongPickles: Format = {
  name: 'torch',
  ends: /\.(?:pkl|pickle|th)$/i,
  begins: isOfTorch,
  open: openTorch,
};

/** As a file, or as a part of one that is a whole file of torch. */
export function openTorch(source: ByteSource): Reading {
  switch (layoutOf(source)) {
    case 'zip':
      return openTorchZip(source);
    case 'legacy':
      return openTorchLegacy(source);
    case 'tar':
      return {
        take: () => undefined,
        end: () => {
          throw new NotLoadable(BEFORE_0_2);
        },
      };
  }
}

/** What a checkpoint tells of itself, without its numbers; in words where nothing of it is known. */
export function readTorch(source: ByteSource): Checkpoint | string {
  switch (layoutOf(source)) {
    case 'zip':
      return readTorchZip(source);
    case 'legacy':
      return readTorchLegacy(source)?.checkpoint ?? 'it is a pickle of something else';
    case 'tar':
      return BEFORE_0_2;
  }
}

const BEFORE_0_2 = 'it is of a version of torch before 0.2';

function layoutOf(source: ByteSource): 'zip' | 'legacy' | 'tar' {
  const { sizeBytes } = source;
  const head = textOf(source.read(0, Math.min(2, sizeBytes)));
  const tail = sizeBytes < ZIP_END_BYTES ? '' : textOf(source.read(sizeBytes - ZIP_END_BYTES, 4));
  if (head === ZIP || (tail === ZIP_END && !head.startsWith(PICKLE))) return 'zip';
  const isTar = sizeBytes > TAR_MARK_AT + 5 && textOf(source.read(TAR_MARK_AT, 5)) === 'ustar';
  return isTar ? 'tar' : 'legacy';
}
