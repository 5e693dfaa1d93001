import { ROUTES } from '../../functions/routes.ts';
import { PARAMETERS } from '../../infra/aws/parameters/parameters.ts';
import { isConditional, type Route } from '../../shared/http/rows/route.ts';
import { REPEATABLE } from './client-operations.ts';

/** Returns docs/reference.md: the tables of endpoints, errors and deployment parameters. */
export function buildReference(): string {
  return `# Reference

\`npm run openapi\` writes this page from the code. Shapes and examples are in [openapi.json](openapi.json), which the
service also serves at \`GET /openapi.json\`.

## Endpoints

Send the credential as \`Authorization: Bearer <credential>\`. "admin" means a member with the role \`admin\`, or a secret
key without an environment, which acts for the member who issued it.

"Idempotent" says what makes a second call of the same request safe: it only reads; the state is the same afterwards; or an
\`Idempotency-Key\` (within 24 hours), which the client sets. "Retried" says after which failures the client repeats a call:
429, 5xx and lost connections, or only 429, when nothing was processed. "ETag": the response has the header, and
\`If-Match\` with it makes a change fail with CHANGED_MEANWHILE if somebody else was faster. The ETag of a list is for comparison.

${endpointsTable()}

## Errors

[Errors and failure codes](errors.md) explains each code. \`error.docs\` of a response is the address of its explanation there.

## Deployment parameters

Options of \`npm run deploy\`. Put permanent values in \`cdk.json\` under \`context\`. An option applies to one run.

${parametersTable()}
`;
}

function parametersTable(): string {
  const rows = PARAMETERS.map(({ name, about, fallback }) => {
    const value = fallback === '' ? 'empty' : `\`${JSON.stringify(fallback).replaceAll('"', '')}\``;
    return `| \`${name}\` | ${value} | ${about} |`;
  });
  return ['| parameter | default | meaning |', '|---|---|---|', ...rows].join('\n');
}

function endpointsTable(): string {
  const head = ['endpoint', 'callable with', 'idempotent', 'retried', 'ETag', 'what it does'];
  const rows = ROUTES.map((row) => [
    `\`${row.method} ${row.path}\``,
    callersOf(row),
    repetitionOf(row),
    repetitionOf(row) === 'no' ? '429' : '429, 5xx, lost',
    etagOf(row),
    row.summary,
  ]);
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function repetitionOf(row: Route): string {
  if (row.idempotent) return '`Idempotency-Key`';
  if (row.method === 'GET' || row.readOnly) return 'reads';
  return row.method !== 'POST' || REPEATABLE.has(row.id) ? 'same state' : 'no';
}

function etagOf(row: Route): string {
  if (!row.etag) return 'no';
  return isConditional(row) ? 'yes, `If-Match`' : 'yes';
}

function callersOf(row: Route): string {
  if (row.access === 'none') return 'no credential';
  if (row.access.admin) return 'admin';
  return row.access.callers.join(', ');
}
