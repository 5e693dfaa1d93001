import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

// Run with a release: from then on, a test compares the document with this release.
const root = join(import.meta.dirname, '../..');
const document = JSON.stringify(JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8')));
writeFileSync(join(root, 'test/data/released-openapi.json.br'), brotliCompressSync(document));
