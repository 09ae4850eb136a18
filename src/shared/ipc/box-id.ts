import { z } from 'zod';

export const boxId = z.uuid();
