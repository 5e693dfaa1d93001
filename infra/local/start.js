// Plain JavaScript, so that what strips types is not loaded: all other files come from the cache, without types and compiled.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/compiled'));
await import('./start.ts');
