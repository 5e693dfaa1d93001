import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { buildOpenapi } from '../functions/openapi.ts';
import { guidePage } from '../infra/local/reference/guide-layout.ts';
import { renderPage } from '../infra/local/reference/guide-pages.ts';
import { EXIT, runTask } from './frame/command.ts';
import { buildClientSource } from './openapi/client-source.ts';
import { buildErrorsPage } from './openapi/errors-page.ts';
import { buildReference } from './openapi/reference.ts';
import { buildServiceParameters, withParameters } from './openapi/service-parameters.ts';

const fileOf = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const HELP = `Writes docs/openapi.json, the generated pages and the generated part of the client from the tables of the code.

npm run openapi`;

runTask(HELP, async () => {
  const document = buildOpenapi();
  writeFileSync(fileOf('docs/openapi.json'), `${JSON.stringify(document, null, 2)}\n`);
  writeFileSync(
    fileOf('functions/health/openapi-document.ts'),
    packedModule('PACKED_DOCUMENT', 'docs/openapi.json', JSON.stringify(document)),
  );
  writeFileSync(fileOf('docs/reference.md'), buildReference());
  const client = buildClientSource(document);
  writeFileSync(fileOf('client/src/generated/operations.ts'), client.operations);
  writeFileSync(fileOf('client/src/generated/methods.ts'), client.methods);
  writeFileSync(fileOf('client/src/generated/types.ts'), client.types);
  writeFileSync(fileOf('infra/aws/parameters/service-parameters.ts'), buildServiceParameters());
  writeFileSync(fileOf('cdk/API.md'), withParameters(readFileSync(fileOf('cdk/API.md'), 'utf8')));
  const errorsPage = buildErrorsPage();
  writeFileSync(fileOf('docs/errors.md'), errorsPage);
  writeFileSync(
    fileOf('functions/health/errors-page.ts'),
    packedModule('PACKED_PAGE', 'docs/errors.md', guidePage(renderPage('docs/errors.md', errorsPage))),
  );
  console.log(
    'Wrote docs/openapi.json, docs/reference.md, docs/errors.md and what the service and the client have of them.',
  );
  return EXIT.done;
});

/** A text as the function that returns it contains it: a tenth of its size. */
function packedModule(name: string, source: string, text: string): string {
  const packed = brotliCompressSync(text).toString('base64');
  return `/** ${source}, brotli-compressed, base64; \`npm run openapi\` writes it. */\nexport const ${name} =\n  '${packed}';\n`;
}
