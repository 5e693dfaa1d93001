import { ROUTES } from '../functions/routes.ts';
import { PARAMETERS } from '../infra/aws/parameters/parameters.ts';
import type { Route } from '../shared/http/route.ts';
import { REPEATABLE } from './client-operations.ts';

/** Returns docs/reference.md: the tables of endpoints, errors and deployment parameters. */
export function buildReference(): string {
  return `# Reference

\`npm run openapi\` writes this page from the code. Shapes and examples are in [openapi.json](openapi.json), which the
service also serves at \`GET /openapi.json\`.

## Endpoints

Send the credential as \`Authorization: Bearer <credential>\`. "admin" means a member with the role \`admin\`, or a secret
key without an environment, which acts for the member who issued it.

"Repeated" says what makes a second call of the same request safe: it only reads; the state is the same afterwards; or an
\`Idempotency-Key\` (within 24 hours). The client sets the key, and retries what can be repeated after any failure that may pass.
It retries the others, marked "no", only after 429, when nothing was processed.

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
  const rows = ROUTES.map(
    (row) => `| \`${row.method} ${row.path}\` | ${callersOf(row)} | ${repetitionOf(row)} | ${row.summary} |`,
  );
  return ['| endpoint | callable with | repeated | what it does |', '|---|---|---|---|', ...rows].join('\n');
}

function repetitionOf(row: Route): string {
  if (row.idempotent) return '`Idempotency-Key`';
  if (row.method === 'GET' || row.readOnly) return 'reads';
  return row.method !== 'POST' || REPEATABLE.has(row.id) ? 'same state' : 'no';
}

function callersOf(row: Route): string {
  if (row.access === 'none') return 'no credential';
  if (row.access.admin) return 'admin';
  return row.access.callers.join(', ');
}
