import * as v from 'valibot';
import { checkedLine, type Line } from './contact.ts';

const text = v.optional(v.nullable(v.union([v.string(), v.number()])));
const Free = v.optional(v.nullable(v.record(v.string(), v.unknown())));

/** An endpoint as Pinpoint exports it, one per line, or as its API returned it. */
const Endpoint = v.looseObject({
  Id: text,
  Address: text,
  ChannelType: text,
  EndpointStatus: text,
  OptOut: text,
  Demographic: v.optional(v.nullable(v.looseObject({ Timezone: text, Locale: text }))),
  Attributes: Free,
  Metrics: Free,
  Location: Free,
  User: v.optional(v.nullable(v.looseObject({ UserId: text, UserAttributes: Free }))),
});
type Endpoint = v.InferOutput<typeof Endpoint>;

/** An entry of the account's suppression list, as SES returns it. */
const Suppressed = v.looseObject({
  EmailAddress: v.string(),
  Reason: v.optional(v.pipe(v.string(), v.toUpperCase(), v.picklist(['BOUNCE', 'COMPLAINT']))),
});

const PUSH = new Map([
  ['GCM', { type: 'FCM' as const }],
  ['FCM', { type: 'FCM' as const }],
  ['APNS', { type: 'APN' as const, environment: 'production' }],
  ['APNS_SANDBOX', { type: 'APN' as const, environment: 'sandbox' }],
]);

/** Reads a record of Pinpoint or SES: an endpoint, or a suppressed address, which becomes a separate user. */
export function recordLine(line: number, value: unknown): Line {
  const suppressed = v.safeParse(Suppressed, value);
  if (!suppressed.success) return endpointLine(line, value);
  const { EmailAddress: email, Reason } = suppressed.output;
  const reason = Reason === 'BOUNCE' ? ('Bounce' as const) : ('Complaint' as const);
  return checkedLine(line, { email, suppression: { reason, details: { source: 'ses' } } });
}

/** Reads an endpoint. One that opted out keeps its user but not its address, except an email address, which keeps the opt-out. */
function endpointLine(line: number, value: unknown): Line {
  const parsed = v.safeParse(Endpoint, value);
  if (!parsed.success) return { kind: 'rejected', line, because: 'it is not an endpoint of Pinpoint' };
  const endpoint = parsed.output;
  const channel = textOf(endpoint.ChannelType)?.toUpperCase() ?? '';
  const address = textOf(endpoint.Address);
  const notes = dropped(endpoint);
  const isOptedOut = textOf(endpoint.OptOut)?.toUpperCase() === 'ALL';
  const isInactive = textOf(endpoint.EndpointStatus)?.toUpperCase() === 'INACTIVE';
  const userId = textOf(endpoint.User?.UserId) ?? (channel === 'EMAIL' ? undefined : textOf(endpoint.Id));
  const base = {
    userId,
    timezone: textOf(endpoint.Demographic?.Timezone),
    locale: textOf(endpoint.Demographic?.Locale),
    attributes: attributesOf(endpoint),
  };
  const push = PUSH.get(channel);
  if (channel === 'EMAIL') {
    const details = { source: 'pinpoint', EndpointStatus: 'INACTIVE' };
    const suppression = isInactive ? { reason: 'Bounce' as const, details } : undefined;
    const optOut = isOptedOut ? 'pinpoint OptOut ALL' : undefined;
    return checkedLine(line, { ...base, email: address, suppression, optOut }, notes);
  }
  if (isOptedOut || isInactive) {
    notes.push(`${channel || 'other'} addresses that opted out or are inactive`);
    return checkedLine(line, base, notes);
  }
  if (channel === 'SMS' || channel === 'VOICE') return checkedLine(line, { ...base, number: address }, notes);
  if (push && address)
    return checkedLine(line, { ...base, pushTokens: [{ ...push, token: address }] }, notes);
  // A segment may list user IDs only.
  if (channel || address) notes.push(`${channel || 'unnamed'} addresses: this channel does not exist here`);
  return checkedLine(line, base, notes);
}

/** The user's attributes. Pinpoint stores a list of texts for each: a single text becomes that text. */
function attributesOf({ User }: Endpoint): Record<string, unknown> {
  const entries = Object.entries(User?.UserAttributes ?? {}).filter(([, value]) => value !== null);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Array.isArray(value) && value.length === 1 ? value[0] : value]),
  );
}

/** User data without an equivalent here. Names only, never values. */
function dropped({ Attributes, Metrics, Location }: Endpoint): string[] {
  const names = (prefix: string, value: Record<string, unknown> | null | undefined) =>
    Object.keys(value ?? {}).map((name) => `${prefix}.${name}`);
  return [...names('Attributes', Attributes), ...names('Metrics', Metrics), ...names('Location', Location)];
}

function textOf(value: string | number | null | undefined): string | undefined {
  const trimmed = value === undefined || value === null ? '' : String(value).trim();
  return trimmed === '' ? undefined : trimmed;
}

/** The nested endpoint of a CSV record, whose column names are paths such as `User.UserId`. */
export function nestedRecord(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const [name, given] of Object.entries(record)) {
    const values = (Array.isArray(given) ? given : [given]).map(String).filter((value) => value !== '');
    if (given === undefined || values.length === 0) continue;
    const path = name.trim().split('.');
    let at = root;
    for (const step of path.slice(0, -1)) {
      const next = at[step];
      const inner: Record<string, unknown> = isRecord(next) ? next : {};
      at[step] = inner;
      at = inner;
    }
    at[path.at(-1) ?? ''] = values.length === 1 ? values[0] : values;
  }
  return root;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
