import { ROUTES } from '../functions/routes.ts';
import { PARAMETERS } from '../infra/aws/parameters/parameters.ts';
import {
  type Explanation,
  FAILURE_EXPLANATIONS,
  REASON_EXPLANATIONS,
  ROUTING_EXPLANATIONS,
} from '../shared/domain/explanations.ts';
import type { Route } from '../shared/http/route.ts';
import { ERRORS } from '../shared/runtime/errors.ts';
import { CHANNELS, type Channel } from '../shared/schemas/channel.ts';

/** Returns docs/reference.md: the tables of endpoints, errors and deployment parameters. */
export function buildReference(): string {
  return `# Reference

\`npm run openapi\` writes this page from the code. Shapes and examples are in [openapi.json](openapi.json), which the
service also serves at \`GET /openapi.json\`.

## Endpoints

Send the credential as \`Authorization: Bearer <credential>\`. "admin" means a member with the role \`admin\`, or a secret
key without an environment, which acts for the member who issued it.

${endpointsTable()}

## Errors

Every error that the service returns has the body
\`{"trackingId": "…", "error": {"code": "…", "message": "…", "fix": "…"}}\`. The tracking ID is also the header
\`x-request-id\`. All problems of a request are reported together.

${errorsTable()}

Every endpoint can also return these. Bodies of API Gateway are \`{"message": "…"}\`. After a 500 or 503, whether the
request had an effect is unknown: repeat a send with the same \`idempotency-key\`. The other statuses changed nothing.

${gatewayErrorsTable()}

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
  const rows = ROUTES.map((row) => `| \`${row.method} ${row.path}\` | ${callersOf(row)} | ${row.summary} |`);
  return ['| endpoint | callable with | what it does |', '|---|---|---|', ...rows].join('\n');
}

function callersOf(row: Route): string {
  if (row.access === 'none') return 'no credential';
  if (row.access.admin) return 'admin';
  return row.access.callers.join(', ');
}

function errorsTable(): string {
  const rows = Object.entries(ERRORS).map(
    ([code, { status, message }]) => `| ${code} | ${status} | ${message} |`,
  );
  return ['| code | status | meaning |', '|---|---|---|', ...rows].join('\n');
}

/** Errors without a row in the list of codes. */
const GATEWAY_ERRORS = [
  [
    400,
    'API Gateway',
    'The request is not HTTP, or its path has a malformed escape.',
    'Correct the request.',
  ],
  [
    404,
    'the service',
    'The path does not exist. The code is RESOURCE_NOT_FOUND.',
    'See the endpoints above.',
  ],
  [
    405,
    'the service',
    'The path does not support this method. The code is RESOURCE_NOT_FOUND.',
    'Use a method listed in the header `allow`.',
  ],
  [
    413,
    'API Gateway',
    'The request is over 10 MB, or over 6 MB as the JSON event that a function receives.',
    'Send attachments as URLs, or fewer entries.',
  ],
  [
    429,
    'the service',
    'The credential or the account has made too many requests in ten seconds. The code is RATE_LIMITED.',
    'Retry after the number of seconds in the header `retry-after`.',
  ],
  [
    429,
    'API Gateway',
    'The route has reached `requestsPerSecond` or `requestBurst`. There is no `retry-after`.',
    'Retry with exponential backoff and jitter. Nothing was processed.',
  ],
  [
    431,
    'API Gateway',
    'The request line and headers are over 10,240 bytes.',
    'Send fewer or shorter headers.',
  ],
  [500, 'API Gateway', 'A function failed, or its response is over 6 MB.', 'Retry with backoff.'],
  [
    503,
    'API Gateway',
    'The function is not available, or took more than 30 seconds.',
    'Retry with exponential backoff and jitter.',
  ],
] as const;

function gatewayErrorsTable(): string {
  const rows = GATEWAY_ERRORS.map((cells) => `| ${cells.join(' | ')} |`);
  return ['| status | body of | meaning | what to do |', '|---|---|---|---|', ...rows].join('\n');
}

const CHANNEL_PAGES: Record<Channel, string> = {
  EMAIL: 'Email',
  INAPP_WEB: 'In-app',
  SMS: 'SMS and calls',
  CALL: 'SMS and calls',
  PUSH: 'Push',
  WEB_PUSH: 'Web push',
  CHAT: 'Chat',
};

/** Returns docs/concepts/delivery-log.md with its last part, which explains routing values and failure codes, written again. */
export function withLogCodes(page: string): string {
  const start = page.indexOf(LOG_CODES_START);
  return `${start < 0 ? page : page.slice(0, start)}${buildLogCodes()}\n`;
}

const LOG_CODES_START = '## Routing\n';

function buildLogCodes(): string {
  const table = (explanations: Record<string, Explanation>) =>
    [
      '| value | meaning | what to do |',
      '|---|---|---|',
      ...Object.entries(explanations).map(([code, { meaning, fix }]) => `| ${code} | ${meaning} | ${fix} |`),
    ].join('\n');
  const channels = CHANNELS.filter((channel) => channel !== 'CALL');
  return [
    '## Routing',
    '`<channel>_routing` is the decision for a channel:',
    table(ROUTING_EXPLANATIONS),
    '`<channel>_routing_reason` shows who decided IGNORE:',
    table(REASON_EXPLANATIONS),
    '## Failure codes',
    '`<channel>_failed_code` is one of these. `<channel>_failed_internal` has the provider’s own message.',
    ...channels.flatMap((channel) => [`### ${CHANNEL_PAGES[channel]}`, table(FAILURE_EXPLANATIONS[channel])]),
  ].join('\n\n');
}
