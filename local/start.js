#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

enableCompileCache();
// Node 22 warns that its SQLite is experimental.
process.removeAllListeners('warning');
await import('./dist/start.js');
