import { z } from 'zod';
import { MAX_TAG_CHARS, MAX_TAGS } from './tag-words.ts';

/** SECURITY: shown as text and matched by the filter; a line break or an invisible character could pass for another tag. */
const tag = z
  .string()
  .min(1)
  .max(MAX_TAG_CHARS)
  .regex(/^[^\p{C}\p{Z}]+(?: [^\p{C}\p{Z}]+)*$/u);

/** The person's own words for a box; two that differ only in case would be two groups of one thing. */
export const tags = z
  .array(tag)
  .max(MAX_TAGS)
  .refine((all) => new Set(all.map((each) => each.toLowerCase())).size === all.length)
  .readonly();
