import type { JsonSchema } from '@valibot/to-json-schema';
import { CHANNELS } from '../../shared/schemas/channel.ts';
import type { AnySchema } from '../../shared/schemas/fields/any-schema.ts';
import {
  EmailAddress,
  HttpsOrLocalUrl,
  HttpsUrl,
  UrlText,
  WebUrl,
} from '../../shared/schemas/fields/text.ts';
import { DayText, IsoTime, TimeText } from '../../shared/schemas/fields/time.ts';

type Json = Record<string, unknown>;

const SCHEDULE_NAMES = 'scheduledFor|scheduled_for|schedule_updated_to';
const MARK_NAMES = 'opened|clicked|archived|actioned1|actioned2';

/** Numbers of responses whose schema does not say that they are whole. */
const COUNT_NAMES = [
  'epochMs|index|size|count|keyCount|members|added|removed|erasedLogs|attempt|status|ms|priority|expDate|repeat',
  'retention|retentionInDays|contentDays|duration|max|period',
  CHANNELS.join('|'),
].join('|');
const INTEGER = { type: 'integer', format: 'int64' };

/** Formats that a name implies, by the name of the property; the first match applies. */
const FORMATS: readonly [name: RegExp, of: 'string' | 'number', shape: Json][] = [
  [/(At|_at|Until|_until)$|^(at|timestamp|lastSeenTime|lastSync)$/, 'string', { format: 'date-time' }],
  [new RegExp(`^(${SCHEDULE_NAMES}|${MARK_NAMES})$`), 'string', { format: 'date-time' }],
  [/^(start|end)Date$/, 'string', { format: 'date' }],
  [/^(email|pendingEmail)$/, 'string', { format: 'email' }],
  [new RegExp(`^(${COUNT_NAMES}|topic_\\w+|\\w+_(sent|delivered)_after)$`), 'number', INTEGER],
  [/_(count|segments|parts)$|(messages|sms|call)Cap$|[vV]ersion$/, 'number', INTEGER],
  [/./, 'number', { format: 'double' }],
];

/** Returns the type and format that the name of a property implies, if any. */
export function namedFormat(name: string, schema: Json): Json | undefined {
  if ('enum' in schema || 'const' in schema) return undefined;
  const { type } = schema;
  return FORMATS.find(([pattern, of]) => of === type && pattern.test(name))?.[2];
}

const CHECKED: readonly [AnySchema, format: string][] = [
  [IsoTime, 'date-time'],
  [TimeText, 'date-time'],
  [DayText, 'date'],
  [EmailAddress, 'email'],
  [HttpsUrl, 'uri'],
  [HttpsOrLocalUrl, 'uri'],
  [WebUrl, 'uri'],
  [UrlText, 'uri'],
];

/** Formats by the schema, or by the check in its pipe: a pipe is converted check by check. */
const FORMAT_BY_PART = new Map<unknown, string>(
  CHECKED.flatMap(([schema, format]) => {
    const parts: unknown[] = 'pipe' in schema && Array.isArray(schema.pipe) ? schema.pipe.slice(1) : [schema];
    return parts.map((part): [unknown, string] => [part, format]);
  }),
);

/** Returns the JSON Schema of a text with the format of `part`, a schema or a check of it. */
export function withCheckedFormat(part: unknown, json: JsonSchema): JsonSchema {
  const format = FORMAT_BY_PART.get(part);
  return format === undefined ? json : { ...json, format };
}
