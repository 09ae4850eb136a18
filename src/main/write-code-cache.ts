// A step of the build, run by the runtime that the app will be started with (scripts/setup/code-cache.mjs).
import { join } from 'node:path';
import { writeCodeCache } from './code-cache/write-code-cache.ts';

writeCodeCache(join(__dirname, 'chunks'), join(__dirname, '../code-cache'));
