import { WEBHOOK_EVENTS, type WebhookEvent } from '../../shared/schemas/logs/webhook.ts';
import { WEBHOOK_DATA, WebhookEnvelope } from '../../shared/schemas/logs/webhook-body.ts';
import { schemaOf } from './schemas.ts';

type Json = Record<string, unknown>;
type ObjectSchema = { properties: Record<string, Json>; required: readonly string[] };

const text = { type: 'string' };
const HEADERS = [
  ['webhook-id', 'The ID of the event, the same on every attempt.'],
  ['webhook-timestamp', 'Time of the attempt, in seconds since 1970.'],
  ['webhook-signature', 'v1 signatures of Standard Webhooks, separated by spaces.'],
] as const;

/** Not the tag of the webhook's own operations: generators write a file per tag, and one would replace the other. */
export const EVENTS_TAG = 'events';

/** The `webhooks` section: one entry for each event, with the schema of its body. */
export function webhooksOf(): Json {
  return Object.fromEntries(WEBHOOK_EVENTS.map((event) => [event, { post: operationOf(event) }]));
}

/** The bodies and their `data` by the names of their schemas, `EmailOpenEvent` and `EmailOpenEventData`. */
export function webhookSchemas(): Json {
  return Object.fromEntries(
    WEBHOOK_EVENTS.flatMap((event) => {
      const data = schemaOf(WEBHOOK_DATA[event]);
      return [
        [schemaName(event), bodyOf(event, data)],
        [`${schemaName(event)}Data`, { description: `The fields of the event ${event}.`, ...data }],
      ];
    }),
  );
}

const schemaName = (event: WebhookEvent) =>
  `${event.toLowerCase().replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase())}Event`;

function operationOf(event: WebhookEvent): Json {
  return {
    operationId: `on${schemaName(event).replace(/Event$/, '')}`,
    tags: [EVENTS_TAG],
    summary: `The event ${event}`,
    description:
      'Signed according to Standard Webhooks. Ten attempts over three days; 410 disables the webhook.',
    security: [],
    parameters: HEADERS.map(([name, description]) => ({
      name,
      in: 'header',
      required: true,
      description,
      schema: text,
    })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${schemaName(event)}` } } },
    },
    responses: {
      '2XX': { description: 'The event is accepted.' },
      '4XX': { description: 'The event is sent again later; 410 disables the webhook.' },
    },
  };
}

/** Has the fields of `data` at the top level too. */
function bodyOf(event: WebhookEvent, data: Json): Json {
  const envelope = schemaOf(WebhookEnvelope) as ObjectSchema;
  const { properties, required } = data as ObjectSchema;
  const reference = { $ref: `#/components/schemas/${schemaName(event)}Data` };
  return {
    type: 'object',
    description: `The body of the event ${event}. Later versions may add fields.`,
    properties: {
      ...envelope.properties,
      type: { ...envelope.properties.type, const: event },
      ...properties,
      data: { description: 'The same fields again, as Standard Webhooks recommends.', ...reference },
    },
    required: [...envelope.required, ...required, 'data'],
  };
}
