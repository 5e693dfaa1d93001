import {
  type Explanation,
  FAILURE_EXPLANATIONS,
  REASON_EXPLANATIONS,
  REASON_FIXES,
  ROUTING_EXPLANATIONS,
} from '../../shared/domain/logs/explanations.ts';
import { ERRORS, type ErrorCode } from '../../shared/runtime/errors.ts';
import { CHANNELS } from '../../shared/schemas/channel.ts';

/** Returns docs/errors.md: a heading, and so an anchor, for each code that a response or a delivery log can have. */
export function buildErrorsPage(): string {
  const errors = Object.entries(ERRORS).map(([code, { status, message }]) =>
    entry(code, `${status}. ${message}`, ERROR_FIXES[code as ErrorCode]),
  );
  return `# Errors and failure codes

Every error has the body \`{"trackingId": "…", "error": {"code": "…", "message": "…", "fix": "…", "docs": "…"}}\`. \`docs\` leads to
the code's entry on this page, which every deployment serves. The tracking ID is also the header \`x-request-id\`. All problems of a
request are reported together. (\`npm run openapi\` writes this page.)

## Errors of the service

${errors.join('\n\n')}

## Errors of API Gateway

Every endpoint can also return these. Bodies of API Gateway are \`{"message": "…"}\`. After a 500 or 503, whether the
request had an effect is unknown: repeat a send with the same \`idempotency-key\`. The other statuses changed nothing.

${gatewayErrorsTable()}

## Routing

In the delivery log, \`<channel>_routing\` is the decision for a channel. \`<channel>_routing_reason\` shows who decided IGNORE.

${entries('ROUTING', { ...ROUTING_EXPLANATIONS, ...REASON_EXPLANATIONS })}

## Reasons that the service itself records

\`<channel>_failed_internal\` starts with these words where the service itself found the cause. Other words are the provider's.

${reasonsTable()}

${CHANNELS.map((channel) => `## Failures: ${channel}\n\n${entries(channel, FAILURE_EXPLANATIONS[channel])}`).join('\n\n')}
`;
}

const entry = (heading: string, meaning: string, fix: string) => `### ${heading}\n\n${meaning}\n\n${fix}`;

const entries = (kind: string, explanations: Readonly<Record<string, Explanation>>) =>
  Object.entries(explanations)
    .map(([code, { meaning, fix }]) => entry(`${kind} ${code}`, meaning, fix))
    .join('\n\n');

const reasonsTable = () =>
  [
    '| starts with | what to do |',
    '|---|---|',
    ...Object.entries(REASON_FIXES).map(([start, fix]) => `| ${start} | ${fix} |`),
  ].join('\n');

/** What to do in general; the `fix` of a response knows the request. */
const ERROR_FIXES: Record<ErrorCode, string> = {
  INVALID_REQUEST: 'Correct the fields in the message. openapi.json has the shape of every request.',
  INVALID_JSON: 'Send one JSON object in UTF-8, without compression. Check quotes, commas and braces.',
  UNAUTHORIZED: 'Send `Authorization: Bearer` with an active API key or a valid access token.',
  FORBIDDEN_KEY_TYPE:
    'Use a credential of a kind that the reference lists for this operation. A public key can act for one user only.',
  ADMIN_ONLY:
    'Call it with the access token of an administrator, or with a secret key without an environment that an administrator issued.',
  RESOURCE_NOT_FOUND:
    'Check the ID, and that the key belongs to the account and the environment of the resource. IDs of another account return the same error.',
  DUPLICATE_RESOURCE: 'Choose another name, or change the existing resource.',
  CHANGED_MEANWHILE:
    'Read the resource again and apply your change to what it is now. The header `etag` of the response is that of the present state; there is none if the resource was deleted.',
  RESOURCE_IN_USE: 'Remove the resource from what uses it first. The message lists where it is used.',
  TOO_MANY_TRACKING_IDS: 'Look up 25 tracking IDs per request.',
  INVALID_CURSOR:
    'Send `nextCursor` of the previous page unchanged, with the same filters. Without it, the list starts again.',
  MISSING_NOTIFICATION_TYPE:
    'Send `type`, the ID of a notification type that exists: `GET /types` lists them, `POST /types` creates one.',
  MISSING_RECIPIENT: 'Send `to.id`, or an address in `to`.',
  INVALID_CHANNEL: 'Use EMAIL, INAPP_WEB, SMS, CALL, PUSH, WEB_PUSH or CHAT.',
  INVALID_FIELD_FOR_CHANNEL: 'Remove the fields in the message, or use the path of another channel.',
  INVALID_TEMPLATE:
    'Correct the Liquid at the position that the message gives. The preview shows the result before you save.',
  INVALID_SCHEDULE_FORMAT: 'Send an ISO 8601 time within the next year, with `Z` or an offset.',
  SCHEDULE_RESOURCE_NOT_FOUND:
    'GET /users/{userId}/waiting lists what is still waiting. The delivery log shows what was sent.',
  IDEMPOTENCY_KEY_REUSED:
    'Use a new key for a new request. Repeat a request with exactly the same body to use its key again.',
  UNVERIFIED_SENDER:
    'Publish the DNS records that GET /domains lists, or send from an address on a verified domain.',
  PLAN_ACTIVE: 'Change or end the active plan on the page of the payment provider.',
  LAST_ADMIN: 'Make another member an administrator first.',
  NOT_CONNECTED: 'Connect the account with POST /account/backend/oauth.',
  USAGE_LIMIT:
    'Raise the limit or wait for the next period. GET /organization/usage shows the usage and the caps.',
  RATE_LIMITED:
    'Wait for the number of seconds in the header `retry-after`. Each notification of POST /send/bulk counts.',
  PROVIDER_ERROR:
    'Read `provider` and `providerCode`, correct the credentials or the request, and try again.',
  INTERNAL:
    'Repeat the request with the same `Idempotency-Key`. If it repeats, look for the tracking ID in the logs of the function.',
};

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
    'See the endpoints in reference.md.',
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
    'Retry with exponential backoff and jitter. The request had no effect.',
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
