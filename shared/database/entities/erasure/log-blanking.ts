import { LOG_FOLDERS } from '../../../blobs/blob-folders.ts';
import { blobFoldersOf } from '../../../blobs/blob-life.ts';
import type { Blobs } from '../../../blobs/blobs-port.ts';
import { mailboxOf } from '../../../domain/users/mailbox.ts';
import { defined } from '../../../runtime/values/defined.ts';
import { addressIn } from '../../../schemas/fields/text.ts';
import type { Signer } from '../../../tokens/signer.ts';
import type { Database } from '../../database.ts';
import { assignmentOf } from '../../items/update-expression.ts';
import { untaggedFeedSk } from '../../keys/indexes.ts';
import { keyOf, logPk } from '../../keys/key.ts';
import { carrierKey } from '../../keys/phone.ts';
import type { Item } from '../../table.ts';
import type { Feed } from '../logs/feed.ts';
import type { StoredLogHead } from '../logs/log-head.ts';
import { anonymousContent } from '../logs/log-items.ts';
import type { Logs } from '../logs/logs.ts';
import type { Suppressions } from '../users/suppressions.ts';
import { recipientsOf, signRecipient } from './recipients.ts';

/** Where logs and their large parts are. */
export type BlankingSources = { table: Database; store: () => Blobs; log: Logs };

/** What an erasure of logs reads and writes. */
export type ErasureSources = BlankingSources & {
  feeds: Feed;
  sign: () => Signer;
  suppressed: Suppressions;
};

/** Stored names that stay in every item: keys, the account's own IDs, times. */
const KEPT = [
  ...['pk', 'sk', 'a', 'e', 'u', 'n', 'at', 'expiresAt'],
  ...['feedPk', 'feedSk', 'duePk', 'dueSk'],
];
/** In a head: decisions, states and times, and hashes of the recipients. */
const KEPT_OF_HEAD = [
  ...[
    'trackingId',
    'topic',
    'parent',
    'state',
    'rev',
    'done',
    'due',
    'moved',
    'movedTo',
    'deleted',
    'waited',
  ],
  ...['ignored', 'failedAt', 'failedCode', 'test', 'fan', 'routes', 'steps', 'shownUntil', 'kept', 'mails'],
];
/** In an event: its digest, progress and price class, and what is left of its fields. */
const KEPT_OF_EVENT = ['f', 'd', 'g', 'c', 'w', 'est', 'next', 'record', 'isAutomatic'];
/** Of a decision: neither the language nor anything else that follows from the person. */
const KEPT_OF_ROUTE = ['r', 'why', 'code', 't', 'd', 'held'];

/**
 * Removes everything but KEPT_OF_HEAD from a head. False if the head changed since it was read, such as a scheduled notification that became due at this moment. One that
 * still waits is cancelled.
 */
export async function blankHead(
  sources: ErasureSources,
  head: Item,
  person: { atMs: number },
): Promise<boolean> {
  if (head.u === '') return true;
  const mails = await signedRecipients(sources, head);
  await removeBlobs(sources, [...namedBlobs(head), ...(await replacedBlobs(sources, head))]);
  if (typeof head.num === 'string') await sources.table.delete(carrierKey(head.num));
  const isScheduled = head.state === 'scheduled';
  return changeUnchanged(sources, head, {
    ...withoutOthers(head, KEPT_OF_HEAD),
    ...anonymous(head),
    routes: anonymousRoutes(head.routes),
    ...(mails.length > 0 ? { mails } : {}),
    ...(isScheduled
      ? { state: 'cancelled', deleted: person.atMs, rev: Number(head.rev ?? 0) + 1, duePk: null, dueSk: null }
      : {}),
  });
}

/** Changes a head; false if it is no longer as it was read. */
async function changeUnchanged({ table }: ErasureSources, head: Item, change: Item): Promise<boolean> {
  const [expression, { condition, names, values }] = assignmentOf(change);
  const { written } = await table.update(keyOf(head), expression, {
    condition: `${condition} AND #wasState = :wasState AND ${head.rev === undefined ? 'attribute_not_exists(#wasRev)' : '#wasRev = :wasRev'}`,
    names: { ...names, '#wasState': 'state', '#wasRev': 'rev' },
    values: { ...values, ':wasState': head.state, ...defined({ ':wasRev': head.rev }) },
  });
  return written;
}

/**
 * Removes users from the list of users whom a notification to a topic leaves out. Returns the users who remain because the head
 * changed since it was read.
 */
export async function blankExclusion(
  sources: ErasureSources,
  head: Item,
  userIds: ReadonlySet<string>,
): Promise<string[]> {
  const read = await sources.log.readHead(head);
  const { to } = read.request;
  const named = to?.exclude?.filter((id) => userIds.has(id)) ?? [];
  if (!to || named.length === 0) return [];
  const exclude = to.exclude?.filter((id) => !userIds.has(id));
  const request = { ...read.request, to: { ...to, exclude } };
  return (await replaceRequest(sources, head, { ...read, request })) ? [] : named;
}

/** Removes addresses from the copies of an email to somebody else, and from its events. `again`: the head changed since it was read. */
export async function blankCopies(
  sources: ErasureSources,
  head: Item,
  addresses: readonly string[],
): Promise<'none' | 'again' | 'blank'> {
  const mailboxes = new Set(addresses.filter((each) => each.includes('@')).map(mailboxOf));
  const read = await sources.log.readHead(head);
  const { email = {}, ...options } = read.request.options ?? {};
  const { ccAddresses = [], bccAddresses = [] } = email;
  const isOther = (each: string) => !mailboxes.has(mailboxOf(addressIn(each)));
  if ([...ccAddresses, ...bccAddresses].every(isOther)) return 'none';
  const others = { ccAddresses: ccAddresses.filter(isOther), bccAddresses: bccAddresses.filter(isOther) };
  const request = { ...read.request, options: { ...options, email: { ...email, ...others } } };
  const items = await sources.table.queryAll(logPk(read.trackingId), '', { consistent: true });
  for (const event of items.filter(({ sk }) => sk !== head.sk)) {
    if (!isOther(String(Object(event.record).from ?? ''))) await blankEvent(sources, event);
    else await sources.table.update(keyOf(event), ...assignmentOf(withoutNames(event, mailboxes)));
  }
  return (await replaceRequest(sources, head, { ...read, request })) ? 'blank' : 'again';
}

/** The fields of an event, without fields that contain an address of the person. */
function withoutNames({ f, d }: Item, mailboxes: ReadonlySet<string>) {
  const isFree = ([, value]: [string, unknown]) =>
    ![...mailboxes].some((each) => JSON.stringify(value).toLowerCase().includes(each));
  const free = (fields: unknown) => Object.fromEntries(Object.entries(Object(fields)).filter(isFree));
  return { f: free(f), d: d && free(d) };
}

async function replaceRequest(sources: ErasureSources, head: Item, changed: StoredLogHead): Promise<boolean> {
  const options = { feedShards: 1, expiresAtSeconds: changed.expiresAtSeconds };
  const { req = null, blob = null } = await sources.log.headItem(changed, options);
  const rev = Number(head.rev ?? 0) + 1;
  if (!(await changeUnchanged(sources, head, { req, blob, rev }))) return false;
  if (head.blob !== blob) await removeBlobs(sources, [head.blob]);
  return true;
}

/** Without the user, also in the index. */
const anonymous = ({ feedSk }: Item): Item => ({
  u: '',
  ...(typeof feedSk === 'string' ? { feedSk: untaggedFeedSk(feedSk) } : {}),
});

/** Every attribute that is not in the lists, to be removed. */
function withoutOthers(item: Item, kept: readonly string[]): Item {
  const others = Object.keys(item).filter((name) => !KEPT.includes(name) && !kept.includes(name));
  return Object.fromEntries(others.map((name) => [name, null]));
}

function anonymousRoutes(routes: unknown): Item | undefined {
  if (routes === undefined) return undefined;
  const entries = Object.entries(Object(routes)).map(([channel, decided]) => [
    channel,
    Object.fromEntries(Object.entries(Object(decided)).filter(([name]) => KEPT_OF_ROUTE.includes(name))),
  ]);
  return Object.fromEntries(entries);
}

/** Keyed hashes of those whom an email was for: a bounce that comes later still suppresses their address. */
async function signedRecipients({ log, sign }: ErasureSources, head: Item): Promise<string[]> {
  if (typeof head.mail !== 'string') return [];
  const { trackingId, ...read } = await log.readHead(head);
  return Promise.all(recipientsOf(read).map((address) => signRecipient(sign(), trackingId, address)));
}

/** Removes everything but KEPT_OF_EVENT from an event, and the objects that it refers to. */
export async function blankEvent(sources: ErasureSources, event: Item): Promise<void> {
  await removeBlobs(sources, namedBlobs(event));
  const change = {
    ...withoutOthers(event, KEPT_OF_EVENT),
    ...anonymous(event),
    ...(await anonymousContent(event)),
    record: event.record && bareRecord(event.record),
  };
  await sources.table.update(keyOf(event), ...assignmentOf(change));
}

/** Keeps the suppression of an address that was rejected without the address, and without the words of the server. */
export async function forgetReason(
  { suppressed, sign }: ErasureSources,
  head: Item,
  events: readonly Item[],
): Promise<void> {
  const isRejected = events.some(({ f }) => Object(f).email_failed_code !== undefined);
  if (isRejected && typeof head.mail === 'string')
    await suppressed.anonymize(String(head.a), head.mail, sign());
}

/** Names of objects that the head no longer names: of a changed request, or one that lost to another with its key. */
export async function replacedBlobs(
  sources: BlankingSources,
  { a, trackingId, blob, digestBlob, rev, hash }: Item,
): Promise<string[]> {
  if (!(blob || digestBlob || rev || hash)) return [];
  const folders = blobFoldersOf(LOG_FOLDERS, String(a));
  return (
    await Promise.all(folders.map((folder) => sources.store().list(`${folder}/${trackingId}-`)))
  ).flat();
}

export const namedBlobs = ({ blob, digestBlob, original, blobs }: Item): unknown[] =>
  [blob ?? [], digestBlob ?? [], original ?? [], blobs ?? []].flat();

export async function removeBlobs(sources: BlankingSources, names: readonly unknown[]): Promise<void> {
  await Promise.all(
    names.filter((name) => typeof name === 'string').map((name) => sources.store().delete(name)),
  );
}

function bareRecord(record: unknown): Item {
  const { trackingId, eventType, timestamp, epochMs, resolutionType }: Item = Object(record);
  return { trackingId, eventType, timestamp, epochMs, ...defined({ resolutionType }) };
}
