import { isIP } from 'node:net';
import { recordNameOf, verificationRecordsOf } from '../../domain/domains/sender-domain.ts';
import type { CheckedRecords, DnsRecord, VerificationRecords } from '../../schemas/domains/sender-domain.ts';
import type { DnsResolver } from './dns-resolver.ts';
import type { DomainToVerify } from './domain-verifier.ts';

export type RecordNames = Pick<DomainToVerify, 'sender' | 'selector' | 'publicKey' | 'hosts'>;

const FOUND_MAX = 5;
const FOUND_LENGTH_MAX = 1000;
/** RFC 7208 §4.6.4. */
const SPF_LOOKUPS_MAX = 10;

/** Returns what DNS has for each record of a sender domain, and what a receiver of email would find wrong with it. */
export async function examineRecords(resolver: DnsResolver, names: RecordNames): Promise<CheckedRecords> {
  const records = verificationRecordsOf({ ...names, isAddressed: true }, names.hosts);
  const checked = (Object.entries(records) as [string, DnsRecord][]).map(async ([key, record]) => {
    const { host, recordValue } = record;
    const { found, problem } =
      record.recordType === 'MX'
        ? examineExchanges(await resolver.findMx(host), recordValue)
        : examineTexts(await resolver.findTxt(host), TEXT_RULES[key as TextKey], names);
    const text = found.length > 0 ? problem : await findMisplaced(resolver, record);
    const shown = found.slice(0, FOUND_MAX).map((each) => each.slice(0, FOUND_LENGTH_MAX).toWellFormed());
    return [key, { found: shown, ...(text === undefined ? {} : { problem: text }) }];
  });
  return Object.fromEntries(await Promise.all(checked));
}

/** True if the key is published, however a receiver takes the record: only the owner of the domain can do that. */
export function isKeyPublished({ dkim }: CheckedRecords, publicKey: string): boolean {
  const tags = (dkim?.found ?? []).flatMap(tagsOf);
  return tags.some(([name, value]) => name === 'p' && withoutSpace(value) === publicKey);
}

/** True if the record is published and a receiver takes it as meant. */
export function isAsMeant(checked: CheckedRecords[keyof CheckedRecords]): boolean {
  return checked !== undefined && checked.found.length > 0 && checked.problem === undefined;
}

/** Many DNS panels append the zone to what already ends with it. */
async function findMisplaced(
  resolver: DnsResolver,
  { host, recordType }: DnsRecord,
): Promise<string | undefined> {
  const name = recordNameOf(host);
  const zone = name === '@' ? host : host.slice(name.length + 1);
  const misplaced = `${host}.${zone}`;
  const found = recordType === 'MX' ? await resolver.findMx(misplaced) : await resolver.findTxt(misplaced);
  return found.length > 0
    ? `The record is at ${misplaced}: the zone was appended twice. Enter ${name} as its name.`
    : undefined;
}

type TextKey = Exclude<keyof VerificationRecords, 'mail_from_mx' | 'inbound_mx'>;
type TextRule = {
  /** The texts that receivers take for this record. */
  isOne: (text: string) => boolean;
  problemOf: (text: string, names: RecordNames) => string | undefined;
};

const TEXT_RULES: Record<TextKey, TextRule> = {
  // Receivers take any text at this host for a key.
  dkim: { isOne: () => true, problemOf: dkimProblem },
  mail_from_spf: {
    isOne: (text) => /^v=spf1(\s|$)/i.test(text),
    problemOf: (text, { hosts }) => spfProblem(text, hosts.spf),
  },
  dmarc: { isOne: (text) => /^v\s*=\s*DMARC1\s*(;|$)/.test(text), problemOf: dmarcProblem },
};

function examineTexts(texts: readonly string[], { isOne, problemOf }: TextRule, names: RecordNames) {
  const [first, ...others] = texts.filter(isOne);
  const quoted = texts.find((text) => /^\s*["'“]/.test(text));
  if (quoted !== undefined && others.length === 0 && (first === undefined || first === quoted))
    return {
      found: [quoted],
      problem: 'The value begins with a quotation mark. Enter it without quotation marks.',
    };
  if (first === undefined) return { found: [] };
  if (others.length > 0) {
    const problem = `${others.length + 1} such records are at this host, where receivers accept one. Delete the others.`;
    return { found: [first, ...others], problem };
  }
  return { found: [first], problem: problemOf(first, names) };
}

const withoutSpace = (text: string) => text.replace(/\s/g, '');

/** The tags of a record (RFC 6376 §3.2), as name and value. */
function tagsOf(text: string): [name: string, value: string][] {
  return text
    .split(';')
    .filter((tag) => tag.trim() !== '')
    .map((tag) => {
      const [name = '', ...value] = tag.split('=');
      return [name.trim(), value.length > 0 ? value.join('=').trim() : '\0'];
    });
}

function tagProblem(tags: readonly [string, string][]): string | undefined {
  const names = tags.map(([name]) => name);
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined) return `The tag ${repeated} occurs twice.`;
  if (tags.some(([, value]) => value === '\0')) return 'A part between two semicolons has no equals sign.';
  if (tags.some(([, value]) => value.endsWith('\\')))
    return 'There is a backslash before a semicolon. Enter the value without backslashes.';
  return undefined;
}

/** What a verifier of signatures objects to (RFC 6376 §3.6.1, §6.1.2). */
function dkimProblem(text: string, { publicKey }: RecordNames): string | undefined {
  const tags = tagsOf(text);
  const wrong = tagProblem(tags);
  if (wrong !== undefined) return wrong;
  const { v, k = 'rsa', h, s = '*', t = '', p } = Object.fromEntries(tags);
  const has = (list: string, ...wanted: string[]) =>
    list.split(':').some((each) => wanted.includes(each.trim()));
  if (v !== undefined && (v !== 'DKIM1' || tags[0]?.[0] !== 'v'))
    return 'The record must begin with v=DKIM1.';
  if (p === undefined) return 'The record has no key (p=).';
  if (p === '') return 'The key (p=) is empty: it is revoked.';
  if (withoutSpace(p) !== publicKey) return 'The key (p=) is another one, or was cut.';
  if (k !== 'rsa') return 'The type of the key (k=) must be rsa.';
  if (h !== undefined && !has(h, 'sha256')) return 'The hashes (h=) must include sha256.';
  if (!has(s, '*', 'email')) return 'The services (s=) must include email.';
  if (has(t, 'y')) return 'The flag t=y says that the domain only tests DKIM. Remove it.';
  return undefined;
}

const MECHANISM = /^([+?~-]?)(all|include|a|mx|ptr|ip4|ip6|exists)([:/].*)?$/;
const MODIFIER = /^([a-z][a-z0-9_.-]*)=(.*)$/;
const LOOKS_UP = ['include', 'a', 'mx', 'ptr', 'exists'];

/** What the evaluation of an SPF record (RFC 7208 §4.6) ends in for an email from `host`. */
function spfProblem(text: string, host: string): string | undefined {
  const terms = text.trim().toLowerCase().split(/\s+/).slice(1);
  const parsed = terms.map((term) => ({
    term,
    mechanism: MECHANISM.exec(term),
    modifier: MODIFIER.exec(term),
  }));
  const invalid = parsed.find(
    ({ mechanism, modifier }) => !modifier && !(mechanism && isArgumentRight(mechanism)),
  );
  if (invalid) return `The term ${invalid.term.slice(0, 80)} is invalid: receivers ignore the whole record.`;
  const redirects = parsed.flatMap(({ modifier }) => (modifier?.[1] === 'redirect' ? [modifier[2]] : []));
  if (redirects.length > 1) return 'The modifier redirect occurs twice: receivers ignore the whole record.';
  const mechanisms = parsed.flatMap(({ mechanism }) => (mechanism ? [mechanism] : []));
  const lookups = mechanisms.filter(([, , name = '']) => LOOKS_UP.includes(name)).length + redirects.length;
  if (lookups > SPF_LOOKUPS_MAX)
    return `The record looks up ${lookups} names; receivers stop after ${SPF_LOOKUPS_MAX}.`;
  const isOurs = ([, , name, argument = '']: RegExpExecArray) =>
    name === 'include' && plainHost(argument.slice(1)) === host;
  const deciding = mechanisms.find((each) => isOurs(each) || each[2] === 'all');
  const isAccepted = !deciding?.[1] || deciding[1] === '+';
  if (deciding ? isAccepted : plainHost(redirects[0] ?? '') === host) return undefined;
  if (!mechanisms.some(isOurs)) return `The record does not include ${host}.`;
  return deciding?.[2] === 'all' ? `include:${host} must come before all.` : `include:${host} is negated.`;
}

/** A mechanism with an argument that it needs, or must not have. */
function isArgumentRight([, , name = '', argument = '']: RegExpExecArray): boolean {
  const value = argument.slice(1);
  if (name === 'all') return argument === '';
  if (name === 'ip4' || name === 'ip6') {
    const [address = '', length = '', ...more] = value.split('/');
    const bitsMax = name === 'ip4' ? 32 : 128;
    const isLength =
      length === '' ? !value.includes('/') : /^\d{1,3}$/.test(length) && Number(length) <= bitsMax;
    return argument.startsWith(':') && isIP(address) === Number(name[2]) && isLength && more.length === 0;
  }
  if (name === 'include' || name === 'exists') return argument.startsWith(':') && value !== '';
  return !argument.startsWith(':') || value !== '';
}

function dmarcProblem(text: string): string | undefined {
  const tags = tagsOf(text);
  const { p } = Object.fromEntries(tags);
  const isPolicy = ['none', 'quarantine', 'reject'].includes(p?.toLowerCase() ?? '');
  return tagProblem(tags) ?? (isPolicy ? undefined : 'The policy (p=) must be none, quarantine or reject.');
}

const plainHost = (host: string) => host.toLowerCase().replace(/\.$/, '');

/** Senders try the exchange with the lowest number first. */
function examineExchanges(exchanges: readonly { exchange: string; priority: number }[], wanted: string) {
  const sorted = [...exchanges].sort((one, other) => one.priority - other.priority);
  const own = sorted.find(({ exchange }) => plainHost(exchange) === plainHost(wanted));
  const preferred = sorted.find((each) => each !== own && (!own || each.priority <= own.priority));
  const found = sorted.map(({ exchange, priority }) => `${priority} ${exchange || '.'}`);
  if (!preferred) return { found };
  if (plainHost(preferred.exchange).startsWith(`${plainHost(wanted)}.`))
    return { found, problem: `The zone was appended to the value. Enter ${wanted} with a dot at its end.` };
  const problem = `${preferred.exchange || 'The empty host'} ${own ? 'is preferred' : 'receives the email'} instead of ${wanted}.`;
  return { found, problem };
}
