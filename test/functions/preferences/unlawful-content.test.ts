import { beforeEach, describe, expect, it } from 'vitest';
import { handler as updateAccount } from '../../../functions/account/update-account.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as previewTemplate } from '../../../functions/templates/preview-template.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { call } from '../../support/app.ts';
import { useAccount, useApp } from '../../support/use-app.ts';

const app = useApp();
const account = useAccount(app, 'test');
let key: string;
beforeEach(async () => {
  process.env.PUBLIC_BASE_URL = 'https://api.example.com';
  key = account.secret.key;
  await call(updateAccount, { key, body: { postalAddress: 'Shop Ltd\n1 High Street' } });
  for (const [notificationId, purpose] of [
    ['news', 'marketing'],
    ['reset', 'transactional'],
  ])
    await call(createType, { key, body: { notificationId, title: 'N', channels: ['EMAIL'], purpose } });
});

const LAWFUL = '<p>{{ unsubscribe_url }}</p><p>Shop Ltd, 1 High Street</p>';
const preview = (html: string, notificationId = 'news') =>
  call(previewTemplate, {
    key,
    path: { notificationId, channel: 'EMAIL' },
    body: { template: { subject: 's', html } },
  });
const rehearse = async (html: string, options = {}, type = 'news') => {
  const body = { type, to: { id: 'ada', email: 'ada@example.com' }, email: { subject: 's', html }, options };
  const { json } = await call(send, { key, query: { dryRun: 'true' }, body });
  const email = json.routing.find(({ channel }: { channel: string }) => channel === 'EMAIL');
  return { content: email.content, messages: json.messages.join('\n') };
};
const CASES: [string, string, RegExp][] = [
  ['link', '<p>Shop Ltd, 1 High Street</p>', /unsubscribe_url/],
  [
    'link but in a comment',
    '<!-- {{ unsubscribe_url }} --><p>Shop Ltd, 1 High Street</p>',
    /unsubscribe_url/,
  ],
  [
    'link but in an image',
    '<img src="{{ unsubscribe_url }}"><p>Shop Ltd, 1 High Street</p>',
    /unsubscribe_url/,
  ],
  ['postal address', '<p>{{ unsubscribe_url }} Shop</p>', /postalAddress/],
  [
    'postal address but hidden',
    '{{ unsubscribe_url }}<p style="display:none">Shop Ltd, 1 High Street</p>',
    /postalAddress/,
  ],
];

describe('marketing email without what the law asks', () => {
  it.each(CASES)('is an error of the preview without the %s', async (_, html, reason) => {
    expect(await preview(html)).toMatchObject({
      status: 400,
      json: {
        error: {
          code: 'INVALID_TEMPLATE',
          message: expect.stringMatching(reason),
          errors: [{ path: 'template.html' }],
        },
      },
    });
    expect((await preview(html, 'reset')).status).toBe(200);
  });

  it.each(CASES)('is an error of the dry run without the %s', async (_, html, reason) => {
    expect(await rehearse(html)).toEqual({ content: undefined, messages: expect.stringMatching(reason) });
    expect((await rehearse(html, {}, 'reset')).content).toBeDefined();
  });

  it('is an error of both without a postal address of the account, and of a dry run with copies', async () => {
    expect((await preview(LAWFUL)).status).toBe(200);
    expect((await rehearse(LAWFUL)).content).toBeDefined();
    const copies = { email: { bccAddresses: ['eve@example.com'] } };
    expect(await rehearse(LAWFUL, copies)).toMatchObject({
      content: undefined,
      messages: expect.stringMatching(/copies/),
    });
    await call(updateAccount, { key, body: { postalAddress: null } });
    app.clock.nowMs += 60_000;
    expect((await preview(LAWFUL)).status).toBe(400);
    expect((await rehearse(LAWFUL)).messages).toMatch(/has no postalAddress/);
  });
});
