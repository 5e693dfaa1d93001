import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { replyAddressOf } from '../../../../shared/channels/email/message-id.ts';
import { logErasures } from '../../../../shared/database/entities/erasure/log-erasures.ts';
import { messageIds } from '../../../../shared/database/entities/incoming/message-ids.ts';
import { logs } from '../../../../shared/database/entities/logs/logs.ts';
import { logPk } from '../../../../shared/database/keys/key.ts';
import { resolve } from '../../../../shared/runtime/dependency.ts';
import { newTrackingId } from '../../../../shared/runtime/values/ids.ts';
import { createTestAccount, type TestAccount } from '../../../support/app.ts';
import {
  app,
  type Inbox,
  listOf,
  logOf,
  MAIL_DOMAIN,
  mailOf,
  openInbox,
  receive,
  receiveTo,
  useInboundMail,
} from './mail-setup.ts';

useInboundMail();

async function notified({ account, environment }: TestAccount): Promise<string> {
  const trackingId = newTrackingId(app.clock.nowMs);
  await resolve(logs).accept(
    {
      trackingId,
      accountId: account.accountId,
      environmentId: environment.environmentId,
      userId: 'ada',
      notificationId: 'welcome',
      state: 'accepted',
      receivedAtMs: app.clock.nowMs,
      routing: { EMAIL: { routing: 'SEND' } },
      messages: [],
      request: {},
    },
    { feedShards: 1, expiresAtSeconds: app.clock.nowMs / 1000 + 86_400 },
  );
  return trackingId;
}

const replyTo = ({ account: { accountId } }: TestAccount, trackingId: string) =>
  replyAddressOf({ trackingId, accountId }, MAIL_DOMAIN);

describe('a reply by email', () => {
  const answered = async (inbox: Inbox, headers: Record<string, string>) => {
    await receiveTo(inbox.inbox, headers);
    const [message] = (await listOf(inbox)).filter(
      (each: { eventType: string }) => each.eventType === 'inbound',
    );
    return message;
  };

  it.each([
    ['In-Reply-To', (id: string) => ({ 'In-Reply-To': `<${id}@sender.example.com>` })],
    [
      'the last known reference',
      (id: string) => ({
        'In-Reply-To': '<unknown@example.com>',
        References: `<a@b> <${id}@sandbox.test>\r\n <${randomUUID()}@c>`,
      }),
    ],
    [
      'the first reference of a thread of 101 emails',
      (id: string) => ({
        References: [
          `<${id}@sandbox.test>`,
          ...Array.from({ length: 100 }, () => `<${randomUUID()}@c>`),
        ].join('\r\n '),
      }),
    ],
    [
      'the last of 101 references without separators',
      (id: string) => ({
        References: `${Array.from({ length: 100 }, () => `<${randomUUID()}@c>`).join('\r\n ')}\r\n <a@b><${id}@c>`,
      }),
    ],
  ])('matches by %s', async (_, headersOf) => {
    const inbox = await openInbox();
    const trackingId = await notified(inbox.account);
    const message = await answered(inbox, headersOf(trackingId));
    expect(message).toMatchObject({ trackingId, resolutionType: 'reply', inbox: inbox.inbox });
    expect(await logOf(inbox, trackingId)).toMatchObject({
      type: 'welcome',
      user_id: 'ada',
      email_inbound_from: 'ada@example.com',
      email_inbound_resolution_type: 'reply',
    });
  });

  it('matches by the message ID that SES assigned', async () => {
    const inbox = await openInbox();
    const trackingId = await notified(inbox.account);
    const number = `${inbox.name}-5e7f-000000`;
    await resolve(messageIds).store('ses', number, trackingId, app.clock.nowMs / 1000 + 60);
    const message = await answered(inbox, { 'In-Reply-To': `<${number}@eu-west-1.amazonses.com>` });
    expect(message).toMatchObject({ trackingId, resolutionType: 'reply' });
  });

  it('matches a reply to the reply address or the fallback sender', async () => {
    const account = await createTestAccount(app);
    const trackingId = await notified(account);
    await receiveTo(replyTo(account, trackingId));
    await receiveTo(`notifications@${MAIL_DOMAIN}`, { 'In-Reply-To': `<${trackingId}@${MAIL_DOMAIN}>` });
    const inbound = (await listOf({ account })).filter(
      (each: { eventType: string }) => each.eventType === 'inbound',
    );
    expect(inbound.map((each: { trackingId: string }) => each.trackingId)).toEqual([trackingId, trackingId]);
  });

  it('to an erased notification gets a log of its own', async () => {
    const account = await createTestAccount(app);
    const trackingId = await notified(account);
    const { environmentId } = account.environment;
    const [person, options] = [
      { environmentId, userId: 'ada', addresses: [], atMs: app.clock.nowMs },
      { limit: 100, feedShards: 1, after: undefined, nowMs: app.clock.nowMs },
    ];
    await resolve(logErasures).erasePage(person, options);
    await receiveTo(replyTo(account, trackingId));
    const [message] = (await listOf({ account })).filter(
      (each: { eventType: string }) => each.eventType === 'inbound',
    );
    expect(message).toMatchObject({ resolutionType: 'inbound', from: 'ada@example.com' });
    expect(message.trackingId).not.toBe(trackingId);
    expect(await logOf({ account }, trackingId)).not.toHaveProperty('email_inbound_from');
  });

  it.each([
    ['its reply address', {}, replyTo],
    ['its headers', { 'In-Reply-To': 'id' }, () => `notifications@${MAIL_DOMAIN}`],
  ])('to a notification whose log has ended gets a log of its own, by %s', async (_, headers, to) => {
    const account = await createTestAccount(app);
    const trackingId = await notified(account);
    app.clock.nowMs += 2 * 86_400_000;
    const replyTo = Object.keys(headers).map((name) => [name, `<${trackingId}@${MAIL_DOMAIN}>`]);
    await receiveTo(to(account, trackingId), Object.fromEntries(replyTo));
    const found = await listOf({ account });
    expect(found).toMatchObject([
      { eventType: 'inbound', resolutionType: 'inbound', from: 'ada@example.com' },
    ]);
    expect(found[0].trackingId).not.toBe(trackingId);
  });

  it('to a notification whose log the table has deleted gets a log of its own in its account, once', async () => {
    const account = await createTestAccount(app);
    const trackingId = await notified(account);
    for (const { pk, sk } of await app.database.queryAll(logPk(trackingId), ''))
      await app.database.delete({ pk: String(pk), sk: String(sk) });
    const to = replyTo(account, trackingId);
    expect(to.indexOf('@')).toBeLessThanOrEqual(64);
    const mail = mailOf({ To: to });
    await receive(mail, to.toUpperCase());
    await receive(mail, to);
    const unknown = await createTestAccount(app);
    await receiveTo(
      replyTo({ ...account, account: { ...account.account, accountId: 'x'.repeat(16) } }, trackingId),
    );
    const found = await listOf({ account });
    expect(found).toMatchObject([
      { eventType: 'inbound', resolutionType: 'inbound', inbox: to, subject: 'A question' },
    ]);
    expect(await listOf({ account: unknown })).toEqual([]);
    expect(await logOf({ account }, found[0].trackingId)).toMatchObject({
      envId: account.environment.environmentId,
      email_inbound_from: 'ada@example.com',
    });
  });

  it("does not match another account's notification", async () => {
    const [inbox, stranger] = [await openInbox(), await createTestAccount(app)];
    const trackingId = await notified(stranger);
    const message = await answered(inbox, { 'In-Reply-To': `<${trackingId}@sender.example.com>` });
    expect(message.trackingId).not.toBe(trackingId);
    expect(message.resolutionType).toBe('builtin');
    expect(await logOf({ account: stranger }, trackingId)).not.toHaveProperty('email_inbound_at');
  });

  it('does not change the log again when it arrives twice', async () => {
    const inbox = await openInbox();
    const trackingId = await notified(inbox.account);
    const raw = mailOf({ To: inbox.inbox, 'In-Reply-To': `<${trackingId}@x.example>` });
    await receive(raw, inbox.inbox);
    app.clock.nowMs += 60_000;
    await receive(raw, inbox.inbox);
    const { email_inbound_at } = await logOf(inbox, trackingId);
    expect(Date.parse(email_inbound_at)).toBe(app.clock.nowMs - 60_000);
  });
});

describe('an automatic reply', () => {
  it('leaves a record and gets no reply', async () => {
    const inbox = await openInbox();
    await receiveTo(inbox.inbox, { 'Auto-Submitted': 'auto-replied', From: inbox.inbox });
    expect(await listOf(inbox)).toHaveLength(1);
    expect([...app.sent.keys()]).toEqual([]);
  });
});
