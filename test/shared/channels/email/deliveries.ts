import type { EmailDelivery } from '../../../../shared/channels/channel.ts';

/** An email delivery; `overrides` replace its fields. */
export function emailDelivery(overrides: Partial<EmailDelivery> = {}): EmailDelivery {
  return {
    trackingId: '019ac0de-7000-7000-8000-00000000cafe',
    accountId: 'acct0000000000A1',
    environmentId: 'env00000000000B2',
    notificationId: 'order_shipped',
    userId: 'ada',
    attempt: 1,
    to: 'ada@example.com',
    from: { address: 'shop@sender.example', name: 'The Shop' },
    subject: 'Your order',
    html: '<p>It is on its way</p>',
    text: 'It is on its way',
    replyToAddresses: [],
    ccAddresses: [],
    bccAddresses: [],
    attachments: [],
    headers: [],
    ...overrides,
  };
}
