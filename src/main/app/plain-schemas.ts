// The first import of core.ts. Without this zod writes and compiles a function for each schema when that is first used: a
// gain for data in bulk, which no schema here ever sees, and some milliseconds lost while the window waits.
import { z } from 'zod';

z.config({ jitless: true });
