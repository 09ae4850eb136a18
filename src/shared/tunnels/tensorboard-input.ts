import { z } from 'zod';

const folder = z
  .string()
  .max(4096)
  .regex(/^\/[^\p{C}]*$/u, 'not an absolute path');
export const startTensorboardInput = z.strictObject({
  logdir: folder,
  port: z.int().min(1024).max(65535),
});
export const linkFolderInput = z.strictObject({ from: folder, into: folder });
