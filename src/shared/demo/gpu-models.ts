/** The cards that the demo box can have. */
export const gpuModelNames = [
  'H200',
  'H100-80GB-HBM3',
  'A100-SXM4-80GB',
  'L40S',
  'Tesla-T4',
  'GeForce-RTX-4090',
  'GeForce-RTX-3090',
] as const;
export type GpuModelName = (typeof gpuModelNames)[number];
