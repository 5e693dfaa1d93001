import type { JsonSchema } from '@valibot/to-json-schema';
import { VOICE } from '../../shared/schemas/sending/send-request.ts';

type Json = JsonSchema & Record<string, unknown>;

const UNFIT =
  '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ufffe\\uffff';
/** The pattern of `ClampedLimit`. */
export const CLAMPED = '^0*[1-9]\\d{0,14}$';
/** Text without control characters, direction marks and surrounding spaces. */
const CLEAN = `^[^\\s${UNFIT}]([^${UNFIT}]*[^\\s${UNFIT}])?$`;
const HOUR =
  '^\\s*(([01]?\\d|2[0-3])(:[0-5]\\d)?|(0?[1-9]|1[0-2])(:[0-5]\\d)?\\s*[aApP]([mM]|\\.[mM]\\.))\\s*$';
const DAY =
  '^\\s*([0-6]|[sS][uU][nN]([dD][aA][yY])?|[mM][oO][nN]([dD][aA][yY])?|[tT][uU][eE]([sS][dD][aA][yY])?|[wW][eE][dD]([nN][eE][sS][dD][aA][yY])?|[tT][hH][uU]([rR][sS][dD][aA][yY])?|[fF][rR][iI]([dD][aA][yY])?|[sS][aA][tT]([uU][rR][dD][aA][yY])?)\\s*$';
const LANGUAGE =
  '([A-Za-z]{2,3}|[A-Za-z]{5,8})(-[A-Za-z]{4})?(-([A-Za-z]{2}|\\d{3}))?(-([A-Za-z0-9]{5,8}|\\d[A-Za-z0-9]{3}))*';
const HTTPS = '[hH][tT][tT][pP][sS]:';
const DOMAIN = '^\\s*([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?\\.)+[A-Za-z][A-Za-z0-9-]*[A-Za-z0-9]\\.?\\s*$';
const TIME = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)?(Z|[+-]\\d\\d:\\d\\d)';

const atMost = (field: 'maxProperties' | 'maxLength') => (text: string) => ({ [field]: numberIn(text) });
const numberIn = (text: string) => Number(/at most (\d+)/.exec(text)?.[1]);

/**
 * What a check demands, as JSON Schema, by its message; the first match applies. Rules about other fields, bytes or the
 * inside of a text have none.
 */
const CHECKS: readonly [message: RegExp, shape: Json | ((text: string) => Json)][] = [
  [/^must be 1 to \d+ bytes of text without/, { pattern: CLEAN, minLength: 1, maxLength: 256 }],
  [/^must not be \. or \.\./, { not: { enum: ['.', '..'] } }],
  [/^must be a key of 1 to (\d+) characters/, { pattern: CLEAN, minLength: 1, maxLength: 256 }],
  [/^must not be empty$/, { pattern: '\\S', minLength: 1 }],
  // What contains Liquid is measured when it is rendered.
  [
    /^must be at most \d+ characters$/,
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    (text) => ({ if: { not: { pattern: '\\{[{%]' } }, then: { maxLength: numberIn(text) } }),
  ],
  [/^must be one email address, such as \S+$/, { maxLength: 254, pattern: '^[^@\\s]([^\\s]*)@[^@\\s]+$' }],
  [/^must be one email address/, { pattern: '[^@\\s]@[^@\\s]' }],
  [/^must be an https URL$/, { pattern: `^\\s*${HTTPS}` }],
  [
    /^must be an https URL, or http/,
    { pattern: `^\\s*(${HTTPS}|[hH][tT][tT][pP]://(localhost|127\\.0\\.0\\.1|\\[::1\\])(:\\d+)?([/?#]|$))` },
  ],
  [/^must be an http or https URL/, { pattern: '^\\s*[hH][tT][tT][pP][sS]?:' }],
  [/^must be an ISO 8601 time with Z or offset, such/, { pattern: `^${TIME}$` }],
  [/^must be an ISO 8601 time, such/, { pattern: '^\\d{4}-\\d\\d-\\d\\d' }],
  [/^must be an ISO 8601 time with Z or offset, true/, { pattern: `^${TIME}$` }],
  [/^must be now or an ISO 8601 time/, { pattern: `^(now|${TIME})$` }],
  [/^must be milliseconds since 1970/, { pattern: `^(\\d{1,15}|${TIME})$` }],
  [/^must be a calendar date/, { pattern: '^\\d{4}-\\d\\d-\\d\\d$', format: 'date' }],
  [/^must be a time of day such as 7:00/, { pattern: `${HOUR.slice(0, -1)}$|^24:00$` }],
  [/^must be a time of day/, { pattern: HOUR }],
  [/^must be an English weekday/, { pattern: DAY }],
  [
    /^must be a language tag \(BCP 47\)/,
    { pattern: `^${LANGUAGE}(-[0-9A-Za-z](-[A-Za-z0-9]{1,8})+)*$`, maxLength: 64 },
  ],
  [/^must be a language tag without extensions/, { pattern: `^${LANGUAGE}$`, maxLength: 64 }],
  [/^must be the name of a voice/, { pattern: VOICE }],
  [/^must be an IANA timezone/, { pattern: '^[A-Za-z][A-Za-z0-9_+/-]{0,63}$' }],
  [
    /^must be the scheme of an app/,
    { pattern: '^[a-z][a-z0-9+.-]{1,63}$', not: { enum: ['http', 'https', 'javascript', 'data', 'file'] } },
  ],
  [
    /^must be an ISO 8601 duration/,
    { pattern: '^P(\\d{1,6}W)?(\\d{1,6}D)?(T(\\d{1,6}H)?(\\d{1,6}M)?(\\d{1,8}S)?)?$' },
  ],
  [/^must be high or normal$/, { pattern: '^([hH][iI][gG][hH]|[nN][oO][rR][mM][aA][lL])$' }],
  [/^must be sandbox or production$/, { pattern: '^(sandbox|production|undefined)$' }],
  [/^must be 1 to \d+ letters a-z, digits, dots/, { pattern: '^[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*$' }],
  [/^must be a domain/, { pattern: DOMAIN }],
  [
    /^must be text without control characters$/,
    { pattern: '^[^\\u0000-\\u001f\\u007f]*[^\\s\\u0000-\\u001f\\u007f][^\\u0000-\\u001f\\u007f]*$' },
  ],
  [/^must be a project reference/, { pattern: '^[\\w-]{1,64}$' }],
  [/^must be an integer from 1 to \d+$/, { pattern: '^\\d{1,3}$' }],
  [/^must be an integer from 1$/, { pattern: CLAMPED }],
  [/^must not be default-selection or preview$/, { not: { enum: ['default-selection', 'preview'] } }],
  [/^must have at most \d+ (headers|languages|pairs|keys)$/, atMost('maxProperties')],
  [
    /^must have none of the keys that push services reserve/,
    { propertyNames: { not: { pattern: '^(from|message_type|aps|(gcm|google)(\\..*)?)$' } } },
  ],
  [/^must have at least one of opened/, { minProperties: 2 }],
];

const enumOf = (schema: unknown): string[] => (schema as { enum?: string[] } | undefined)?.enum ?? [];

export function withCheck(part: unknown, json: JsonSchema): JsonSchema {
  const { kind, type, message } = part as { kind?: string; type?: string; message?: unknown };
  if (kind !== 'validation' || !/^(partial_)?check$/.test(type ?? '') || typeof message !== 'string')
    return json;
  const [, shape] = CHECKS.find(([pattern]) => pattern.test(message)) ?? [];
  const added = typeof shape === 'function' ? shape(message) : shape;
  const excluded = [json, added].flatMap((each) => enumOf((each as Json | undefined)?.not));
  return { ...json, ...added, ...(excluded.length > 0 ? { not: { enum: excluded } } : {}) };
}
