import { CommandError, EXIT } from '../scripts/frame/command.ts';
import { findJson } from '../shared/runtime/values/find-json.ts';
import { checkedLine, type Line } from './contact.ts';

/** Fields of a plain file, with the column names that mean them, in any spelling of case, spaces and separators. */
const COLUMNS = {
  id: ['id', 'userid', 'externalid', 'subscriberid', 'recipientid', 'customerid'],
  email: ['email', 'emailaddress', 'mail'],
  number: ['number', 'phone', 'phonenumber', 'mobile', 'mobilephone', 'sms'],
  timezone: ['timezone', 'tz'],
  locale: ['locale', 'language', 'lang'],
  optedOut: ['optedout', 'optout', 'unsubscribed', 'donotcontact'],
  suppressed: ['suppressed'],
  bounced: ['bounced'],
  reason: ['reason', 'suppressionreason'],
  pushTokens: ['pushtokens'],
  webPushTokens: ['webpushtokens'],
  preferences: ['preferences'],
} as const;
type Field = keyof typeof COLUMNS;

/** A field with a name of its own: `attributes.plan`, `preferences.news.EMAIL`, `pushTokens.FCM`. */
type Placed = { kind: 'attributes' | 'preferences' | 'pushTokens'; name: string; column: string };

/** The column of each field. */
export type Mapping = Partial<Record<Field, string>> & { placed: readonly Placed[] };

const PLACED = /^(?:(attributes)\.(.+)|(preferences)\.(.+\.[A-Z_]+)|(pushTokens)\.(FCM|APN))$/;

/** PostgreSQL writes t and f, Access -1, MySQL \N for nothing, and some the date of the mark. */
const ON = /^(-?1|t(rue)?|y(es)?|on|subscribed|opted[ _]in)$/;
const OFF = /^(0|f(alse)?|no?|off|unsubscribed|opted[ _]out)$/;
const MARKED = /^(-?1|t(rue)?|y(es)?|on|x|all|unsubscribed|opted[ _]out|\d{4}-\d\d-\d\d.*)$/;
const UNMARKED = /^(0|f(alse)?|no?|off|none|null|\\n|subscribed|opted[ _]in)?$/;
const MARKS = ['optedOut', 'suppressed', 'bounced'] as const;

/** Reasons of other services for an address that bounced: the word, what the server replied, or what is wrong with the address. */
const BOUNCE = /bounce|^\W*[45]\d\d\b|\b[45]\.\d{1,3}\.\d|invalid|unknown/;

/** Names of the fields, for help and errors. */
export const FIELDS = [
  ...Object.keys(COLUMNS),
  'attributes.<name>',
  'preferences.<type>.<CHANNEL>',
  'pushTokens.FCM',
  'pushTokens.APN',
];

/**
 * The mapping of a file's columns: the columns in `--column`, then columns with the usual names. The names of a record
 * `isOne` of many: others may have other names.
 */
export function mappingOf(columns: readonly string[], pairs: readonly string[], isOne = false): Mapping {
  const named = new Map(pairs.map((each) => [each.split('=')[0], each.slice(each.indexOf('=') + 1)]));
  for (const [field, column] of named) {
    if (!field || !(isField(field) || PLACED.test(field)))
      throw new CommandError(
        `--column accepts ${FIELDS.join(', ')}: for example --column email=Mail`,
        EXIT.usage,
      );
    if (column && !isOne && !columns.includes(column))
      throw new CommandError(`The file has no column ${column}; it has ${columns.join(', ')}.`, EXIT.usage);
  }
  // `_id` of a database is an ID only where there is no other, such as Novu's `subscriberId`.
  const chosen = columns.toSorted((a, b) => Number(a.startsWith('_')) - Number(b.startsWith('_')));
  const entries = Object.keys(COLUMNS)
    .filter(isField)
    .flatMap((field) => {
      const usual: readonly string[] = COLUMNS[field];
      const column = named.get(field) ?? chosen.find((each) => usual.includes(plain(each)));
      return column ? [[field, column] as const] : [];
    });
  const placed = [...columns.map((column) => [column, column] as const), ...named].flatMap(
    ([field = '', column = '']) => placedOf(field, column),
  );
  const mapping: Mapping = { ...Object.fromEntries(entries), placed };
  if (!isOne && !mapping.id && !mapping.email && !mapping.number) {
    const fix = 'Specify one with --column id=…, --column email=… or --column number=…';
    throw new CommandError(`No column is a user ID, an email address or a phone number. ${fix}.`, EXIT.usage);
  }
  return mapping;
}

function placedOf(field: string, column: string): Placed[] {
  const [kind, name] = (PLACED.exec(field) ?? []).slice(1).filter((each) => each !== undefined);
  return kind === undefined || name === undefined || column === ''
    ? []
    : [{ kind: kind as Placed['kind'], name, column }];
}

/** Reads a record. Columns without a place here are noted by name. Values of JSON have their types. */
export function plainLine(line: number, record: Readonly<Record<string, unknown>>, mapping: Mapping): Line {
  const { placed, ...fields } = mapping;
  const fieldOf = (field: Field) => (fields[field] === undefined ? undefined : record[fields[field]]);
  const of = (field: Field) => textOf(fieldOf(field));
  const used = new Set([...Object.values(fields), ...placed.map(({ column }) => column)]);
  const notes = Object.entries(record).flatMap(([name, value]) =>
    used.has(name) || value === '' || value === null ? [] : [`the column ${name}`],
  );
  const listOf = (field: 'pushTokens' | 'webPushTokens' | 'preferences') => {
    const value = fieldOf(field);
    const list = typeof value === 'string' && value !== '' ? findJson(value) : value;
    if (value && !Array.isArray(list)) notes.push(`the column ${field}, which is no JSON list`);
    return Array.isArray(list) ? list : [];
  };
  const given = (kind: Placed['kind']) =>
    placed.flatMap((each) => {
      const value = record[each.column];
      return each.kind !== kind || value === undefined || value === null || value === ''
        ? []
        : [{ name: each.name, value }];
    });
  const wordOf = (field: Field) => (of(field) ?? '').trim().toLowerCase();
  const isMarked = (field: Field) => MARKED.test(wordOf(field));
  const unread = MARKS.find((field) => !isMarked(field) && !UNMARKED.test(wordOf(field)));
  if (unread) return { kind: 'rejected', line, because: `${unread} has a word that is neither yes nor no` };
  const reason = wordOf('reason');
  const isBounce = BOUNCE.test(reason) || isMarked('bounced');
  const isSuppressed = isBounce || reason.includes('complaint') || isMarked('suppressed');
  const isOptedOut = isSuppressed || isMarked('optedOut');
  const email = of('email');
  const suppression = {
    reason: isBounce ? ('Bounce' as const) : ('Complaint' as const),
    details: { source: 'csv' },
  };
  if (isOptedOut && of('number')) notes.push('phone numbers of users who opted out');
  return checkedLine(
    line,
    {
      userId: of('id'),
      email,
      number: isOptedOut ? undefined : of('number'),
      timezone: of('timezone'),
      locale: of('locale'),
      attributes: Object.fromEntries(given('attributes').map(({ name, value }) => [name, value])),
      pushTokens: [
        ...listOf('pushTokens'),
        ...given('pushTokens').map(({ name: type, value }) => ({ type, token: textOf(value) })),
      ],
      webPushTokens: listOf('webPushTokens'),
      preferences: [...listOf('preferences'), ...given('preferences').map(preferenceOf)],
      suppression: isSuppressed ? suppression : undefined,
      optOut: isOptedOut && !isSuppressed ? 'csv' : undefined,
    },
    notes,
  );
}

const textOf = (value: unknown) => (value === undefined || value === null ? undefined : String(value));

/** `news.EMAIL` with a delivery option, or with a word for on and off. */
function preferenceOf({ name, value }: { name: string; value: unknown }) {
  const at = name.lastIndexOf('.');
  const word = String(value).trim().toLowerCase();
  const delivery = ON.test(word) ? 'instant' : OFF.test(word) ? 'off' : word;
  return { notificationId: name.slice(0, at), channel: name.slice(at + 1), delivery };
}

function isField(name: string): name is Field {
  return Object.hasOwn(COLUMNS, name);
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}
