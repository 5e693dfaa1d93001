import { inflateRawSync } from 'node:zlib';
import { handler } from '../../../functions/users/delete-user.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { handler as makeReady } from '../../../functions/workers/due/make-ready.ts';
import { inboundMessages } from '../../../shared/database/entities/incoming/inbound-messages.ts';
import { packPreview } from '../../../shared/database/entities/logs/log-event.ts';
import { logs, ownerOf } from '../../../shared/database/entities/logs/logs.ts';
import { logPk } from '../../../shared/database/keys/key.ts';
import { erasureJobKey, erasurePassKey } from '../../../shared/database/keys/user.ts';
import type { LogHead } from '../../../shared/domain/logs/log.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { newTrackingId } from '../../../shared/runtime/values/ids.ts';
import { call, type TestAccount } from '../../support/app.ts';
import { laterApp } from '../../support/use-app.ts';
import { use } from '../../support/use-started.ts';
import { deliver } from '../../support/workers.ts';

export const app = laterApp();

/** Long enough not to occur in a random id by chance. */
export const USER_ID = 'ada-lovelace';
export const EMAIL = 'ada@example.com';
export const SECRET = 'rosebud';
export const WEEK_MS = 7 * 86_400_000;

export function headOf(account: TestAccount, over: Partial<LogHead> = {}): LogHead {
  return {
    trackingId: newTrackingId(app.clock.nowMs),
    accountId: account.account.accountId,
    environmentId: account.environment.environmentId,
    userId: USER_ID,
    notificationId: 'welcome',
    state: 'accepted',
    receivedAtMs: app.clock.nowMs,
    email: EMAIL,
    ip: '203.0.113.7',
    agent: 'browser',
    routing: { EMAIL: { routing: 'SEND' } },
    messages: [],
    request: { parameters: { word: SECRET } },
    ...over,
  };
}

/** A notification that was sent and opened. */
export async function sent(account: TestAccount, over: Partial<LogHead> = {}): Promise<LogHead> {
  const head = headOf(account, over);
  const expiresAtSeconds = Math.ceil(app.clock.nowMs / 1000) + 30 * 86_400;
  await resolve(logs).accept(head, { feedShards: 1, expiresAtSeconds });
  const owner = ownerOf({ ...head, expiresAtSeconds });
  const atMs = head.receivedAtMs;
  const fields = { email_sent_message_id: 'm-1', email_sent_after: 12, email_failed_internal: EMAIL };
  await resolve(logs).append(
    head.trackingId,
    owner,
    { channel: 'EMAIL', stage: 'sent', atMs, fields },
    packPreview(SECRET),
  );
  const opened = {
    email_opened_ip: '203.0.113.7',
    email_opened_user_agent: 'browser',
    email_delivered_recipients: EMAIL,
  };
  await resolve(logs).append(head.trackingId, owner, {
    channel: 'EMAIL',
    stage: 'opened',
    atMs,
    fields: opened,
  });
  return head;
}

/** Everything that is stored of a log as text: what is compressed, unpacked. */
export const partition = async ({ trackingId }: { trackingId: string }): Promise<string> =>
  JSON.stringify(await app.database.queryAll(logPk(trackingId), ''), (_, value) =>
    value instanceof Uint8Array ? unpacked(value) : value,
  );

function unpacked(bytes: Uint8Array): string {
  try {
    return inflateRawSync(bytes).toString('utf8');
  } catch {
    return Buffer.from(bytes).toString('latin1');
  }
}

export const createAda = ({ secret }: TestAccount) =>
  call(saveUser, { key: secret.key, path: { userId: USER_ID }, body: { email: EMAIL } });
export const erase = ({ secret }: TestAccount) =>
  call(handler, { key: secret.key, path: { userId: USER_ID } });
/** Runs due items as the sweeper does: the erasure, and the pass for all that wait. */
export const runDue = async ({ environment: { environmentId } }: TestAccount) => {
  const run = ({ pk }: { pk: string }) => deliver(makeReady, { pk, dueAtMs: app.clock.nowMs });
  return [
    ...(await run(erasureJobKey(environmentId, USER_ID))),
    ...(await run(erasurePassKey(environmentId))),
  ];
};

export function noise(): string {
  return Array.from({ length: 2000 }, (_, index) => Math.sin(index + 1).toString(36)).join('');
}

/** An email from Ada: a reply to a notification, or one of her own. */
export async function inbound(account: TestAccount, answered?: LogHead): Promise<{ trackingId: string }> {
  const trackingId = answered?.trackingId ?? newTrackingId(app.clock.nowMs);
  const name = `attachments/33d/${trackingId}/1`;
  app.blobs.set(name, new Uint8Array([1]));
  const record = {
    trackingId,
    eventType: 'inbound',
    timestamp: new Date(app.clock.nowMs).toISOString(),
    epochMs: app.clock.nowMs,
    from: EMAIL,
    subject: SECRET,
    bodyText: SECRET,
    attachments: [{ filename: 'ada.txt', contentType: 'text/plain', size: 1 }],
  };
  const message = {
    record,
    messageKey: newTrackingId(app.clock.nowMs),
    blobs: [name],
    verdicts: {},
    isAutomatic: false,
  };
  const expiresAtSeconds = Math.ceil(app.clock.nowMs / 1000) + 30 * 86_400;
  if (answered)
    await resolve(inboundMessages).appendReply(ownerOf({ ...answered, expiresAtSeconds }), message);
  else {
    const head = headOf(account, { trackingId, userId: EMAIL, notificationId: '', routing: {}, request: {} });
    await resolve(inboundMessages).create(head, expiresAtSeconds, message);
  }
  return { trackingId };
}

/** Starts this set-up for the tests of a file. */
export function useErasing(): void {
  use(app);
}
