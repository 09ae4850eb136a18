import type { NumberType } from '../number-scan.ts';

/** How numbers of one type lie in a file: so many to a block, of so many bytes. */
interface TensorType {
  readonly block: number;
  readonly blockBytes: number;
  /** Absent: integers, or numbers that only their block makes sense of. */
  readonly scanned?: NumberType;
}

const plain = (bytes: number, scanned?: NumberType): TensorType => ({
  ...{ block: 1, blockBytes: bytes },
  ...(scanned === undefined ? {} : { scanned }),
});
const blocks = (block: number, blockBytes: number): TensorType => ({ block, blockBytes });

/** By the number that ggml gives each. Those that it gave up, or keeps in memory only, are left out. */
export const TENSOR_TYPES: ReadonlyMap<number, TensorType> = new Map([
  [0, plain(4, 'f32')],
  [1, plain(2, 'f16')],
  [2, blocks(32, 18)], // Q4_0
  [3, blocks(32, 20)], // Q4_1
  [6, blocks(32, 22)], // Q5_0
  [7, blocks(32, 24)], // Q5_1
  [8, blocks(32, 34)], // Q8_0
  [10, blocks(256, 84)], // Q2_K
  [11, blocks(256, 110)], // Q3_K
  [12, blocks(256, 144)], // Q4_K
  [13, blocks(256, 176)], // Q5_K
  [14, blocks(256, 210)], // Q6_K
  [15, blocks(256, 292)], // Q8_K
  [16, blocks(256, 66)], // IQ2_XXS
  [17, blocks(256, 74)], // IQ2_XS
  [18, blocks(256, 98)], // IQ3_XXS
  [19, blocks(256, 50)], // IQ1_S
  [20, blocks(32, 18)], // IQ4_NL
  [21, blocks(256, 110)], // IQ3_S
  [22, blocks(256, 82)], // IQ2_S
  [23, blocks(256, 136)], // IQ4_XS
  [24, plain(1)],
  [25, plain(2)],
  [26, plain(4)],
  [27, plain(8)],
  [28, plain(8, 'f64')],
  [29, blocks(256, 56)], // IQ1_M
  [30, plain(2, 'bf16')],
  [34, blocks(256, 54)], // TQ1_0
  [35, blocks(256, 66)], // TQ2_0
  [39, blocks(32, 17)], // MXFP4
  [40, blocks(64, 36)], // NVFP4
  [41, blocks(128, 18)], // Q1_0
]);
