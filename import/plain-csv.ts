import { CommandError, EXIT } from '../scripts/command.ts';
import { checkedLine, type Line } from './contact.ts';

/** Fields of a plain CSV file, with the column names that mean them, in any spelling of case, spaces and separators. Columns named `attributes.<name>` are attributes. */
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
} as const;
type Field = keyof typeof COLUMNS;

/** The column of each field, and of each attribute. */
export type Mapping = Partial<Record<Field, string>> & { attributes: ReadonlyMap<string, string> };

const ATTRIBUTE = /^attributes\.(.+)$/;

const TRUE = new Set(['1', 'true', 'yes', 'y', 'x', 'all', 'opted out', 'unsubscribed']);

/** Names of the fields, for help and errors. */
export const FIELDS = [...Object.keys(COLUMNS), 'attributes.<name>'];

/** The mapping of a file's columns: those that `--column` names, else by their usual names. */
export function mappingOf(columns: readonly string[], pairs: readonly string[]): Mapping {
  const named = new Map(pairs.map((each) => [each.split('=')[0], each.slice(each.indexOf('=') + 1)]));
  for (const [field, column] of named) {
    if (!field || !(isField(field) || ATTRIBUTE.test(field)))
      throw new CommandError(
        `--column accepts ${FIELDS.join(', ')}: for example --column email=Mail`,
        EXIT.usage,
      );
    if (column && !columns.includes(column))
      throw new CommandError(`The file has no column ${column}; it has ${columns.join(', ')}.`, EXIT.usage);
  }
  const entries = Object.keys(COLUMNS)
    .filter(isField)
    .flatMap((field) => {
      const usual: readonly string[] = COLUMNS[field];
      const column = named.get(field) ?? columns.find((each) => usual.includes(plain(each)));
      return column ? [[field, column] as const] : [];
    });
  const attributes = [...columns.map((column) => [column, column] as const), ...named].flatMap(
    ([field = '', column = '']) => {
      const name = ATTRIBUTE.exec(field)?.[1];
      return name === undefined || column === '' ? [] : [[name, column] as const];
    },
  );
  const mapping: Mapping = { ...Object.fromEntries(entries), attributes: new Map(attributes) };
  if (!mapping.id && !mapping.email && !mapping.number) {
    const fix = 'Specify one with --column id=…, --column email=… or --column number=…';
    throw new CommandError(`No column is a user ID, an email address or a phone number. ${fix}.`, EXIT.usage);
  }
  return mapping;
}

/** Reads a record. Columns without a place here are noted by name. */
export function plainLine(line: number, record: Readonly<Record<string, string>>, mapping: Mapping): Line {
  const { attributes, ...fields } = mapping;
  const of = (field: Field) => (fields[field] === undefined ? undefined : record[fields[field]]);
  const used = new Set([...Object.values(fields), ...attributes.values()]);
  const notes = Object.entries(record).flatMap(([name, value]) =>
    used.has(name) || value === '' ? [] : [`the column ${name}`],
  );
  const isMarked = (field: Field) => TRUE.has((of(field) ?? '').trim().toLowerCase());
  const reason = (of('reason') ?? '').trim().toLowerCase();
  const isBounce = reason.includes('bounce') || isMarked('bounced');
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
      attributes: Object.fromEntries(
        [...attributes].flatMap(([name, column]) => (record[column] ? [[name, record[column]]] : [])),
      ),
      suppression: isSuppressed ? suppression : undefined,
      optOut: isOptedOut && !isSuppressed ? 'csv' : undefined,
    },
    notes,
  );
}

function isField(name: string): name is Field {
  return Object.hasOwn(COLUMNS, name);
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}
