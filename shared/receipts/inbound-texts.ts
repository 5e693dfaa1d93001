import { parseNumberList } from '../channels/phone/numbers/number-list.ts';
import type { InboundReceipt } from '../channels/phone/outcome/receipt.ts';
import {
  type Accounts,
  RETENTION_DAYS_DEFAULT,
  retentionDaysOf,
} from '../database/entities/accounts/accounts.ts';
import type { SmsThread, Texts } from '../database/entities/incoming/texts.ts';
import type { EventOwner, TextAnswer } from '../database/entities/logs/log-items.ts';
import type { Logs } from '../database/entities/logs/logs.ts';
import type { Consents } from '../database/entities/users/consents.ts';
import { logExpiry } from '../domain/logs/log-expiry.ts';
import { classifyKeyword, type SmsKeyword } from '../domain/phone/sms-keywords.ts';
import { MARKETING } from '../domain/users/opt-outs.ts';
import { findSetting } from '../runtime/config.ts';
import { trackingIdOf } from '../runtime/values/ids.ts';
import { UNCHOSEN_NUMBER } from './chosen-number.ts';

/** Dependencies of recording inbound text messages. */
export type InboundTextDependencies = { consents: Consents; logs: Logs; texts: Texts; accounts: Accounts };

const KIND_OF_PROVIDER_KEYWORD = { STOP: 'opt_out', START: 'opt_in', HELP: 'help' } as const;

/**
 * Records a text message in the log of the last message to its author from this number, or in a separate log of the account that
 * owns the number. Opt-out and opt-in keywords apply to the number in every account, even if no account wrote from it, because
 * the author cannot distinguish accounts. `unknown` if no account wrote or owns the number. Safe to call twice, and in any order.
 */
export async function ingestInboundText(
  deps: InboundTextDependencies,
  receipt: InboundReceipt,
): Promise<'appended' | 'repeated' | 'unknown'> {
  const { from: number, to: serviceNumber, text, media, providerMessageId, atMs } = receipt;
  const pair = { serviceNumber, number };
  const threads = await findThreads(deps, receipt);
  const [newest] = threads;
  const keyword = keywordOf(receipt);
  const isDecision = keyword !== undefined && keyword.kind !== 'help';
  if (!newest) {
    if (isDecision) await deps.texts.setOptOut(pair, keyword.kind === 'opt_out', atMs);
    return 'unknown';
  }
  const answer = await answerTo(deps.texts, newest, receipt, keyword);
  const inbound = { ...pair, text, media, providerMessageId, atMs, answer };
  const owner = await findThreadOwner(deps.accounts, newest, atMs);
  const isNew = await deps.texts.appendInbound(newest.trackingId, owner, inbound);
  if (isDecision) {
    await deps.texts.setOptOut(pair, keyword.kind === 'opt_out', atMs);
    for (const thread of threads) await applyKeyword(deps, thread, receipt, keyword);
  }
  return isNew ? 'appended' : 'repeated';
}

/**
 * A text message is stored before its provider has chosen a number: until the number is known, its replies
 * find it there.
 */
async function findThreads(
  deps: InboundTextDependencies,
  { from: number, to: serviceNumber, providerMessageId, atMs }: InboundReceipt,
): Promise<SmsThread[]> {
  for (const each of [serviceNumber, UNCHOSEN_NUMBER]) {
    const threads = await deps.texts.listThreads({ serviceNumber: each, number });
    if (threads.length > 0) return threads;
  }
  const owner = ownerOfNumber(serviceNumber);
  const account = owner === undefined ? undefined : await deps.accounts.find(owner);
  if (!account) return [];
  const { accountId, defaultEnvironmentId: environmentId } = account;
  const trackingId = trackingIdOf(['text', accountId, providerMessageId]);
  const thread = { trackingId, accountId, environmentId, userId: number, notificationId: '', atMs };
  const { expiresAtSeconds } = await findThreadOwner(deps.accounts, thread, atMs);
  const decided = { state: 'accepted' as const, receivedAtMs: atMs, routing: {}, messages: [], request: {} };
  await deps.logs.accept({ ...thread, ...decided }, { feedShards: 1, expiresAtSeconds });
  return [thread];
}

/** The owner of a number according to `PHONE_NUMBERS`. */
const ownerOfNumber = (serviceNumber: string) =>
  parseNumberList(findSetting('PHONE_NUMBERS') ?? '').find(({ number }) => number === serviceNumber)
    ?.accountId;

function keywordOf({ text, providerKeyword }: InboundReceipt): SmsKeyword | undefined {
  const kind = providerKeyword && KIND_OF_PROVIDER_KEYWORD[providerKeyword];
  return kind ? { kind, keyword: providerKeyword } : classifyKeyword(text);
}

/**
 * The reply that a text message needs. Opt-outs are confirmed once and only if the provider does not confirm
 * them. There is no reply to what a provider has already answered, or to a message from another number of
 * this deployment (an automatic reply), so that two never reply to each other.
 */
async function answerTo(
  texts: Texts,
  thread: SmsThread,
  { from: number, to: serviceNumber, providerKeyword, isKeywordOurs }: InboundReceipt,
  keyword: SmsKeyword | undefined,
): Promise<TextAnswer | undefined> {
  const isOurOwn = (await texts.listThreads({ serviceNumber: number, number: serviceNumber })).length > 0;
  if (isOurOwn || providerKeyword) return undefined;
  if (keyword) {
    const { kind, isCarriers = kind === 'opt_in' || /^(?:HELP|INFO)$/.test(keyword.keyword) } = keyword;
    const isOurs = isKeywordOurs || !isCarriers;
    const isRepeated = kind === 'opt_out' && (await texts.isOptedOut(thread, number, serviceNumber, true));
    return isOurs && !isRepeated ? { kind } : undefined;
  }
  const { autoReply } = thread;
  return autoReply === undefined ? undefined : { kind: 'auto_reply', message: autoReply };
}

async function applyKeyword(
  deps: InboundTextDependencies,
  thread: SmsThread,
  receipt: InboundReceipt,
  { kind, keyword }: SmsKeyword,
): Promise<void> {
  const { from: number, providerMessageId: seq, atMs } = receipt;
  const isOptedOut = kind === 'opt_out';
  const fields = isOptedOut
    ? { sms_unsubscribe_from: number, sms_unsubscribe_keyword: keyword }
    : { sms_subscribe_from: number, sms_subscribe_keyword: keyword };
  const stage = isOptedOut ? 'unsubscribe' : 'subscribe';
  const owner = await findThreadOwner(deps.accounts, thread, atMs);
  await deps.logs.append(thread.trackingId, owner, { channel: 'SMS', stage, seq, atMs, fields });
  // Who only wrote is no user.
  if (thread.notificationId === '') return;
  const change = { ...MARKETING, channel: 'SMS', delivery: isOptedOut ? 'off' : undefined } as const;
  const entry = { source: keyword, actor: 'person', atMs, changes: [change] };
  await deps.consents.add(thread.environmentId, thread.userId, entry, seq);
}

/** The message's own retention: the log it replies to may be old. */
async function findThreadOwner(accounts: Accounts, thread: SmsThread, atMs: number): Promise<EventOwner> {
  const { accountId, environmentId, userId, notificationId } = thread;
  const account = await accounts.find(accountId);
  const days = account ? retentionDaysOf(account) : RETENTION_DAYS_DEFAULT;
  const expiresAtSeconds = logExpiry(days, atMs);
  return { accountId, environmentId, userId, notificationId, expiresAtSeconds };
}
