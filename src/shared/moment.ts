import { z } from 'zod';

/** 1970 to 2200: what lies outside was typed or computed wrongly, and far enough out no calendar can print it. */
export const moment = z.int().min(0).max(Date.UTC(2200, 0));
