import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { handler as getPreferences } from '../../../../functions/preferences/get-preferences.ts';
import { handler as listConsents } from '../../../../functions/preferences/list-consents.ts';
import { handler as savePreferences } from '../../../../functions/preferences/save-preferences.ts';
import { handler as send } from '../../../../functions/sending/send.ts';
import { handler as updateType } from '../../../../functions/types/update-type.ts';
import { handler as unsubscribe } from '../../../../functions/unsubscribe/unsubscribe.ts';
import { handler as deleteUser } from '../../../../functions/users/delete-user.ts';
import { handler as deliverEmail } from '../../../../functions/workers/delivery/deliver-email.ts';
import { raisedCallsOf } from '../../../../functions/workers/webhooks/raised-calls.ts';
import type { EmailDelivery } from '../../../../shared/channels/channel.ts';
import { logPk } from '../../../../shared/database/keys/key.ts';
import { emailProvider } from '../../../../shared/providers/email/email.ts';
import { replace } from '../../../../shared/runtime/dependency.ts';
import { call, createTestAccount, type TestAccount } from '../../../support/app.ts';
import { deliver, recordOf } from '../../../support/workers.ts';
import { insertedEvents } from '../receipts/inserted-events.ts';
import { app, listOf, MAIL_DOMAIN, mailOf, useInboundMail } from './mail-setup.ts';
import { receiveMail } from './receipts.ts';

useInboundMail();
let account: TestAccount;
beforeAll(() => {
  Object.assign(process.env, {
    PUBLIC_BASE_URL: 'https://n.example',
    MAIL_RECEIVING: 'on',
    EMAIL_PROVIDER: 'sandbox',
  });
});
beforeEach(async () => {
  process.env.MAIL_RECEIVING = 'on';
  account = await createTestAccount(app);
});

const ADA = 'ada@example.com';
const BODY = { type: 'news', to: { id: 'ada', email: ADA }, email: { subject: 's', html: '<p>h</p>' } };

/** Sends an email; returns its log and the List-Unsubscribe header that its provider got. */
async function sent(over: Record<string, unknown> = {}) {
  let made: EmailDelivery | undefined;
  replace(emailProvider, () => ({
    name: 'scripted',
    async deliver(delivery) {
      made = delivery;
      return { kind: 'sent', fields: {} };
    },
  }));
  const { json } = await call(send, { key: account.secret.key, body: { ...BODY, ...over } });
  await deliver(deliverEmail, { trackingId: json.trackingId });
  const header = made?.headers.find(({ name }) => name === 'List-Unsubscribe')?.value ?? '';
  const [, link = ''] = /<(https:[^>]+)>/.exec(header) ?? [];
  const [, address = '', subject = ''] = /<mailto:([^>?]+)(?:\?subject=([^>]+))?>/.exec(header) ?? [];
  return { trackingId: String(json.trackingId), header, link, address, subject };
}

const receive = (to: string, headers: Record<string, string | undefined> = {}, source?: string) =>
  receiveMail(
    app,
    mailOf({ From: ADA, To: to, Subject: 'unsubscribe', ...headers }),
    [to],
    undefined,
    source,
  );
const choices = async (userId = 'ada') =>
  (await call(getPreferences, { key: account.secret.key, path: { userId } })).json.preferences;
const OFF = [{ notificationId: 'news', channel: 'EMAIL', delivery: 'off' }];
const raised = async (trackingId: string) =>
  (await insertedEvents(app, trackingId)).flatMap(raisedCallsOf).map(({ eventType }) => eventType);

describe('the address in List-Unsubscribe', () => {
  it('is signed, at the mail domain, after the link for one click', async () => {
    const { header, trackingId, address } = await sent();
    expect(header).toMatch(/^<https:\/\/n\.example\/unsubscribe\/[^>]+>, <mailto:[^>]+>$/);
    expect(address).toMatch(new RegExp(`^u\\+${trackingId}-[0-9a-f]{24}@${MAIL_DOMAIN}$`));
    expect(address.indexOf('@')).toBeLessThanOrEqual(64);
  });

  it.each<[string, () => Promise<string>]>([
    [
      'no email is received',
      async () => {
        process.env.MAIL_RECEIVING = 'off';
        return (await sent()).header;
      },
    ],
    [
      'the type cannot be turned off',
      async () => {
        await sent();
        await call(updateType, {
          key: account.secret.key,
          path: { notificationId: 'news' },
          body: { required: true },
        });
        return (await sent()).header;
      },
    ],
    [
      'the email has copies',
      async () => (await sent({ options: { email: { ccAddresses: ['bob@example.com'] } } })).header,
    ],
  ])('is missing where %s', async (_, headerOf) => {
    expect(await headerOf()).not.toContain('mailto:');
  });

  it('is left out before the header exceeds what SES accepts', async () => {
    const lengths: number[] = [];
    for (const length of [10, 100, 200, 255]) {
      const { header } = await sent({ to: { id: 'a'.repeat(length), email: ADA } });
      expect(header).toMatch(/^<https:/);
      lengths.push(header.length);
    }
    expect(Math.max(...lengths)).toBeLessThanOrEqual(870);
  });
});

describe('an email to that address', () => {
  it('has the effects of one click, once', async () => {
    const [clicked, mailed] = [await sent(), await sent({ to: { id: 'eve', email: 'eve@example.com' } })];
    await call(unsubscribe, { path: { token: clicked.link.slice(clicked.link.lastIndexOf('/') + 1) } });
    for (let time = 0; time < 2; time += 1)
      await receive(mailed.address.toUpperCase().replace('@MAIL', '@mail'));
    expect(await choices('eve')).toEqual(OFF);
    expect(await choices()).toEqual(OFF);
    expect(await raised(mailed.trackingId)).toEqual(await raised(clicked.trackingId));
    expect(await raised(mailed.trackingId)).toEqual(['EMAIL_UNSUBSCRIBE']);
    const { json } = await call(listConsents, { key: account.secret.key, path: { userId: 'eve' } });
    const stated = { notificationId: 'news', channel: 'EMAIL', source: 'email', actor: 'person' };
    expect(json.consents).toMatchObject([stated]);
    // It is about the address too, for every user who has it.
    const again = await call(send, {
      key: account.secret.key,
      body: { ...BODY, to: { id: 'eva', email: 'eve@example.com' } },
    });
    await deliver(deliverEmail, { trackingId: again.json.trackingId });
    expect(await recordOf(account, again.json.trackingId)).toMatchObject({
      email_routing_reason: 'IGNORE_BY_PREFERENCES',
    });
    expect(
      (await listOf({ account })).filter((each: { eventType: string }) => each.eventType === 'inbound'),
    ).toEqual([]);
  });

  it('counts with the token of the header in its subject although the mail program marks it as automatic', async () => {
    const { address, subject } = await sent();
    await receive(address, { Subject: subject, 'Auto-Submitted': 'auto-replied' });
    expect(await choices()).toEqual(OFF);
  });

  it.each<[string, (to: string) => Promise<unknown>]>([
    ['a forged signature', (to) => receive(to.replace(/.@/, (last) => (last === '0@' ? '1@' : '0@')))],
    ['the signature of a return path', (to) => receive(to.replace('u+', 'b+'))],
    ['the address at another domain', (to) => receive(to.replace(/@.*/, '@mail.shop.example'))],
    [
      'the address in its headers only',
      (to) => receiveMail(app, mailOf({ From: ADA, To: to }), [`x@${MAIL_DOMAIN}`]),
    ],
    ['an empty envelope sender', (to) => receive(to, {}, '')],
    ['a mailer daemon', (to) => receive(to, {}, 'MAILER-DAEMON@mx.example.com')],
    ['an automatic reply', (to) => receive(to, { 'Auto-Submitted': 'auto-replied' })],
    ['a mailing list', (to) => receive(to, { 'List-Id': '<news.example.com>' })],
    [
      'an email of this service that comes back',
      async (to) => receive(to, { 'X-Tracking-ID': to.slice(2, 38) }),
    ],
    [
      'a bounce',
      (to) =>
        receive(to, {
          'Content-Type': 'message/delivery-status',
          'Content-Disposition': 'attachment',
        }),
    ],
  ])('changes nothing with %s', async (_, sendTo) => {
    const { address, trackingId } = await sent();
    await sendTo(address);
    expect(await choices()).toEqual([]);
    expect(await raised(trackingId)).toEqual([]);
  });

  it('changes nothing once the type cannot be turned off', async () => {
    const { address } = await sent();
    await call(updateType, {
      key: account.secret.key,
      path: { notificationId: 'news' },
      body: { required: true },
    });
    await receive(address);
    expect(await choices()).toEqual([]);
  });

  it('counts with its subject after the log is gone, and after an erasure for the address', async () => {
    const [late, erased] = [await sent(), await sent({ to: { id: 'eve', email: 'eve@example.com' } })];
    for (const item of await app.database.queryAll(logPk(late.trackingId), ''))
      await app.database.delete({ pk: String(item.pk), sk: String(item.sk) });
    await receive(late.address, { Subject: 'unsubscribe' });
    expect(await choices()).toEqual([]);
    await receive(late.address, { Subject: `unsubscribe ${late.subject}` });
    expect(await choices()).toEqual(OFF);
    await call(deleteUser, { key: account.secret.key, path: { userId: 'eve' } });
    await receive(erased.address, { Subject: erased.subject });
    expect(await choices('eve')).toEqual([]);
    const again = await call(send, {
      key: account.secret.key,
      body: { ...BODY, to: { id: 'eva', email: 'eve@example.com' } },
    });
    await deliver(deliverEmail, { trackingId: again.json.trackingId });
    expect(await recordOf(account, again.json.trackingId)).toMatchObject({
      email_routing_reason: 'IGNORE_BY_PREFERENCES',
    });
  });

  it('turns off again what the person has turned on in the meantime', async () => {
    const { address } = await sent();
    await receive(address);
    await call(savePreferences, {
      key: account.secret.key,
      path: { userId: 'ada' },
      body: [{ notificationId: 'news', channel: 'EMAIL', delivery: 'instant' }],
    });
    await receive(address);
    expect(await choices()).toEqual(OFF);
  });
});
