import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { buildOpenapi } from '../functions/openapi.ts';
import { buildClientSource } from './client-source.ts';
import { EXIT, runTask } from './command.ts';
import { buildReference, withLogCodes } from './reference.ts';

const fileOf = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const HELP = `Writes docs/openapi.json, the generated pages and the generated part of the client from the tables of the code.

npm run openapi`;

runTask(HELP, async () => {
  const document = buildOpenapi();
  writeFileSync(fileOf('docs/openapi.json'), `${JSON.stringify(document, null, 2)}\n`);
  writeFileSync(fileOf('functions/health/openapi-document.ts'), packedModule(JSON.stringify(document)));
  writeFileSync(fileOf('docs/reference.md'), buildReference());
  const client = buildClientSource(document);
  writeFileSync(fileOf('client/src/generated/operations.ts'), client.operations);
  writeFileSync(fileOf('client/src/generated/methods.ts'), client.methods);
  writeFileSync(fileOf('client/src/generated/types.ts'), client.types);
  const logPage = fileOf('docs/concepts/delivery-log.md');
  writeFileSync(logPage, withLogCodes(readFileSync(logPage, 'utf8')));
  console.log(
    'Wrote docs/openapi.json, client/src/generated, docs/reference.md and the codes of docs/concepts/delivery-log.md.',
  );
  return EXIT.done;
});

/** The document as the function that returns it contains it: a tenth of its size. */
function packedModule(json: string): string {
  const packed = brotliCompressSync(json).toString('base64');
  return `/** docs/openapi.json, brotli-compressed, base64; \`npm run openapi\` writes it. */\nexport const PACKED_DOCUMENT =\n  '${packed}';\n`;
}
