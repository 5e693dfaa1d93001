import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DeliveryOutcome, EmailDelivery } from '../../../../shared/channels/channel.ts';
import { replyAddressOf } from '../../../../shared/channels/email/message-id.ts';
import { signer } from '../../../../shared/database/entities/access/deployment-secret.ts';
import { messageIds } from '../../../../shared/database/entities/incoming/message-ids.ts';
import { addresses, createAddresses } from '../../../../shared/database/entities/settings/addresses.ts';
import { answerableEmail } from '../../../../shared/providers/email/answerable-email.ts';
import { emailProvider } from '../../../../shared/providers/email/email.ts';
import { replace, resolve } from '../../../../shared/runtime/dependency.ts';
import { defined } from '../../../../shared/runtime/values/defined.ts';
import { newTrackingId } from '../../../../shared/runtime/values/ids.ts';
import { readSignedAddress } from '../../../../shared/tokens/signed-address.ts';
import { readClickToken, readOpenToken } from '../../../../shared/tokens/tracking-token.ts';
import { useApp } from '../../../support/use-app.ts';
import { emailDelivery } from '../../channels/email/deliveries.ts';

const app = useApp();
beforeAll(() => {
  Object.assign(process.env, { EMAIL_PROVIDER: 'ses', MAIL_DOMAIN: 'mail.example.net' });
});

let count = 0;
/** Returns the stored facts about the provider's number after a delivery with this outcome. */
async function deliver(outcomeOf: (messageId: string) => DeliveryOutcome<'EMAIL'>) {
  count += 1;
  const messageId = `0102019${count}-5e7f-000000`;
  const outcome = outcomeOf(messageId);
  replace(emailProvider, () => ({ name: 'ses', deliver: async () => outcome }));
  const delivery: EmailDelivery = {
    trackingId: newTrackingId(app.clock.nowMs),
    accountId: 'a',
    environmentId: 'e',
    notificationId: 'n',
    userId: 'u',
    attempt: 1,
    to: 'ada@example.com',
    from: { address: 'help@example.org' },
    subject: 'Hello',
    html: '<p>Hello</p>',
    text: 'Hello',
    replyToAddresses: [],
    ccAddresses: [],
    bccAddresses: [],
    attachments: [],
    headers: [],
    expiresAtSeconds: app.clock.nowMs / 1000 + 60,
  };
  const answered = await resolve(answerableEmail).deliver(delivery);
  expect(answered).toMatchObject(outcome);
  await answered.afterwards?.();
  const found = (nowMs: number) => resolve(messageIds).findTrackingId('ses', messageId, nowMs);
  return { trackingId: delivery.trackingId, found };
}

const sent = (messageId: string): DeliveryOutcome<'EMAIL'> => ({
  kind: 'sent',
  fields: { email_sent_message_id: messageId },
});

describe('the stored message ID of a sent email', () => {
  it('leads to its notification until the log expires', async () => {
    const { trackingId, found } = await deliver(sent);
    expect(await found(app.clock.nowMs)).toBe(trackingId);
    expect(await found(app.clock.nowMs + 60_000)).toBeUndefined();
  });

  it.each([
    ['for a provider that lets us number messages', { EMAIL_PROVIDER: 'smtp' }],
    ['where no email is received', { MAIL_DOMAIN: '' }],
  ])('stays out of the table %s', async (_, settings) => {
    Object.assign(process.env, settings);
    const { found } = await deliver(sent);
    expect(await found(app.clock.nowMs)).toBeUndefined();
  });

  it('stays out of the table for an email that was not sent', async () => {
    const { found } = await deliver(() => ({ kind: 'retry', code: 'UNDETERMINED_BOUNCE', internal: 'down' }));
    expect(await found(app.clock.nowMs)).toBeUndefined();
  });

  it('does not cause a second send when it cannot be stored', async () => {
    replace(messageIds, () => ({
      store: async () => {
        throw new Error('the table is down');
      },
      findTrackingId: async () => undefined,
    }));
    await deliver(sent);
  });
});

describe('an outgoing email', () => {
  let taken: EmailDelivery;
  async function deliverFrom(
    address: string,
    replyToAddresses: string[] = [],
    over: Partial<EmailDelivery> = {},
  ): Promise<void> {
    replace(emailProvider, () => ({
      name: 'taker',
      async deliver(delivery) {
        taken = (process.env.EMAIL_PROVIDER === 'smtp' && (await delivery.forPlainSmtp?.())) || delivery;
        return { kind: 'sent', fields: {} };
      },
    }));
    await resolve(answerableEmail).deliver(emailDelivery({ from: { address }, replyToAddresses, ...over }));
  }
  const { trackingId, accountId } = emailDelivery();
  const REPLY = [replyAddressOf({ trackingId, accountId }, 'mail.example.net')];
  beforeEach(() => {
    process.env.MAIL_RECEIVING = 'on';
  });

  it('carries the marks of an automatic email and of this service', async () => {
    await deliverFrom('shop@sender.example');
    expect(taken.headers).toEqual([
      { name: 'Auto-Submitted', value: 'auto-generated' },
      { name: 'X-Auto-Response-Suppress', value: 'OOF, AutoReply' },
      { name: 'X-Tracking-ID', value: trackingId },
    ]);
  });

  it("carries its reply address when this service receives its sender's email", async () => {
    await deliverFrom('notifications@Mail.Example.net');
    expect(taken.replyToAddresses).toEqual(REPLY);
    const address = 'Help@Shop.example';
    replace(addresses, () => ({
      ...createAddresses(app.database),
      findByAddress: async (asked) =>
        asked === 'help@shop.example' ? { accountId: 'a', type: 'custom' as const } : undefined,
    }));
    await deliverFrom(address);
    expect(taken.replyToAddresses).toEqual(REPLY);
  });

  it.each<[string, string, string[], string]>([
    ['it names some itself', 'notifications@mail.example.net', ['me@example.com'], 'on'],
    ['its sender receives email elsewhere', 'shop@sender.example', [], 'on'],
    ['the service receives no email', 'notifications@mail.example.net', [], 'off'],
  ])('keeps its reply addresses when %s', async (_, from, replyToAddresses, receiving) => {
    process.env.MAIL_RECEIVING = receiving;
    await deliverFrom(from, replyToAddresses);
    expect(taken.replyToAddresses).toEqual(replyToAddresses);
  });

  it('carries a signed return path over plain SMTP and none over SES', async () => {
    await deliverFrom('shop@sender.example');
    expect(taken).not.toHaveProperty('returnPath');
    process.env.EMAIL_PROVIDER = 'smtp';
    await deliverFrom('shop@sender.example');
    const [local = ''] = (taken.returnPath ?? '').split('@');
    expect(local).toMatch(new RegExp(`^b\\+${trackingId}-[0-9a-f]{24}$`));
    expect(local.length).toBeLessThanOrEqual(64);
    expect(
      await readSignedAddress(
        resolve(signer),
        'return-path',
        `${local}@mail.example.net`,
        'mail.example.net',
      ),
    ).toBe(trackingId);
  });

  it.each([
    ['dns', 'mail.sender.example', 'mail.sender.example'],
    ['dns', 'mail.example.net', undefined],
    ['ses', 'mail.example.net', 'mail.sender.example'],
  ])(
    'bounces where the MX of its sender leads, with domains of %s to %s',
    async (provider, domain, mailFrom) => {
      Object.assign(process.env, { EMAIL_PROVIDER: 'smtp', DOMAIN_PROVIDER: provider });
      const dkim = { domain: 'sender.example', selector: 's', privateKeyPem: '', ...defined({ mailFrom }) };
      await deliverFrom('shop@news.sender.example', [], { dkim });
      const { returnPath = '' } = taken;
      expect(returnPath.endsWith(`@${domain}`)).toBe(true);
      expect(await readSignedAddress(resolve(signer), 'return-path', returnPath, 'mail.example.net')).toBe(
        trackingId,
      );
      await deliverFrom('notifications@mail.example.net');
      expect(taken.returnPath).toMatch(/@mail\.example\.net$/);
      process.env.MAIL_RECEIVING = 'off';
      await deliverFrom('shop@sender.example', [], { dkim });
      expect(taken).not.toHaveProperty('returnPath');
      delete process.env.DOMAIN_PROVIDER;
    },
  );

  describe('over plain SMTP', () => {
    const BASE = 'https://api.example.com';
    const UNSUBSCRIBE = `<a href="${BASE}/unsubscribe/t">Unsubscribe</a>`;
    const LONG = `<a href="https://shop.example.com/${'x'.repeat(4000)}">Long</a>`;
    const HTML = `<p><a href="https://shop.example.com/?a=1&amp;b=2" ses:tags="place:top">Shop</a></p>${LONG}${UNSUBSCRIBE}`;
    beforeEach(() => {
      Object.assign(process.env, { EMAIL_PROVIDER: 'smtp', PUBLIC_BASE_URL: BASE });
      tracking = { opens: true, clicks: true };
    });
    const deliverHtml = () => deliverFrom('shop@sender.example', [], { html: HTML, text: 'Shop', tracking });
    let tracking = { opens: true, clicks: true };
    it("carries this service's pixel and links, except for unsubscribe links and over-long ones", async () => {
      await deliverHtml();
      const pattern =
        /^<p><a href="([^"]+)" >Shop<\/a><\/p>(.+)<img src="([^"]+)" alt="" width="1" height="1">$/;
      const [, click = '', others, open = ''] = pattern.exec(taken.html) ?? [];
      expect([others, taken.text]).toEqual([LONG + UNSUBSCRIBE, 'Shop']);
      expect(await readClickToken(resolve(signer), tokenOf(click, '/track/click/'))).toEqual({
        trackingId,
        link: 'https://shop.example.com/?a=1&b=2',
        tags: { place: ['top'] },
      });
      expect(await readOpenToken(resolve(signer), tokenOf(open, '/track/open/'))).toBe(trackingId);
    });

    it.each<[string, Record<string, string>]>([
      ['without a public address', { PUBLIC_BASE_URL: '' }],
      ['over SES instead, which tracks itself', { EMAIL_PROVIDER: 'ses' }],
      ['in the sandbox instead', { EMAIL_PROVIDER: 'sandbox' }],
    ])('remains unchanged %s', async (_, settings) => {
      Object.assign(process.env, settings);
      await deliverHtml();
      expect(taken.html).toBe(HTML);
    });

    it.each([
      [false, false],
      [true, false],
      [false, true],
    ])('reports opens: %s, clicks: %s, as the message says, on the own domain', async (opens, clicks) => {
      tracking = { opens, clicks };
      process.env.TRACKING_DOMAIN = 'click.example.com';
      await deliverHtml();
      delete process.env.TRACKING_DOMAIN;
      expect(taken.html.includes('"https://click.example.com/track/open/')).toBe(opens);
      expect(taken.html.includes('"https://click.example.com/track/click/')).toBe(clicks);
      expect(taken.html).toContain(UNSUBSCRIBE);
    });

    it.each([
      [true, true, `<a href="https://shop.example.com/?a=1&amp;b=2" ses:tags="place:top">`],
      [true, false, `<a ses:no-track href="https://shop.example.com/?a=1&amp;b=2" ses:tags="place:top">`],
      [false, true, `<a href="${BASE}/track/click/`],
      [false, false, `<a href="https://shop.example.com/?a=1&amp;b=2" ses:tags="place:top">`],
    ])('leaves SES what it tracks: opens %s, clicks %s', async (opens, clicks, link) => {
      tracking = { opens, clicks };
      process.env.EMAIL_PROVIDER = 'ses';
      await deliverHtml();
      const { html } = (await taken.forSes?.()) ?? taken;
      expect(html).toContain(link);
      expect(html).not.toContain('/track/open/');
      const own = opens ? UNSUBSCRIBE.replace('<a', '<a ses:no-track') : UNSUBSCRIBE;
      expect(html).toContain(own);
    });

    function tokenOf(url: string, path: string): string {
      expect(url.startsWith(BASE + path)).toBe(true);
      return url.slice(BASE.length + path.length);
    }
  });
});
