#!/usr/bin/env node
// Node 22 warns that its SQLite is experimental.
process.removeAllListeners('warning');
await import('./dist/start.js');
