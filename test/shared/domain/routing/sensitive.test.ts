import { describe, expect, it } from 'vitest';
import type { LogHead } from '../../../../shared/domain/logs/log.ts';
import {
  agedRecord,
  bareFields,
  bareInbound,
  maskedRecord,
  maskedRequest,
  secretNames,
} from '../../../../shared/domain/routing/sensitive.ts';

const REQUEST = {
  ...{ type: 'login', to: { id: 'ada' }, parameters: { code: '123', list: [1, null], deep: { a: true } } },
  options: { email: { ccAddresses: ['b@example.com'], fromName: 'Shop' }, sms: { validitySeconds: 60 } },
};
const MASKED = {
  ...{ type: 'login', to: { id: 'ada' }, parameters: { code: '…', list: ['…', '…'], deep: { a: '…' } } },
  options: { email: { ccAddresses: ['b@example.com'], fromName: '…' }, sms: { validitySeconds: '…' } },
};

describe('what is kept of a sensitive notification', () => {
  it('shows of a request whom it is for, and the names of all else', () => {
    expect(maskedRequest(REQUEST)).toEqual(MASKED);
    const sms = { type: 'login', options: { sms: { validitySeconds: 60 } } } as never;
    expect(maskedRequest(sms)).toEqual({ type: 'login', options: { sms: { validitySeconds: '…' } } });
    const email = { type: 'login', email: { subject: 's', ccAddresses: ['b@example.com'] } } as never;
    const hidden = { subject: '…', ccAddresses: ['…'] };
    expect(maskedRequest(email)).toEqual({ type: 'login', email: hidden });
  });

  const CONTENT = {
    ...{
      email_preview: 'p',
      email_clicked_link_tags: 't',
      email_inbound_subject: 's',
      sms_replied_text: 'r',
    },
    ...{ email_inbound_body_html: 'b', sms_inbound_text: 't', sms_inbound_media: 'm' },
    ...{ email_inbound_attachments: 'a', email_inbound_from_name: 'n' },
  };
  const REST = {
    ...{ email_inbound_from: 'f', email_routing: 'SEND', email_preview_at: '1', sms_replied_text_at: '2' },
    email_clicked_link_tags_at: '3',
  };

  it('is no field with the words of a message, and no link with a token', () => {
    const link = 'https://example.com/a';
    expect(bareFields({ ...CONTENT, ...REST, email_clicked_link: `${link}?code=1#x` })).toEqual({
      ...REST,
      email_clicked_link: link,
    });
    const record = { trackingId: 't', accountId: 'a', ...CONTENT, email_routing: 'SEND' } as never;
    const { email_preview: _, ...shown } = CONTENT;
    expect(maskedRecord(record, { request: REQUEST } as unknown as LogHead)).toEqual({
      ...{
        trackingId: 't',
        accountId: 'a',
        ...shown,
        email_routing: 'SEND',
        request: JSON.stringify(MASKED),
      },
    });
    expect(agedRecord(record, { request: REQUEST } as unknown as LogHead)).toEqual({
      ...{ trackingId: 't', accountId: 'a', email_routing: 'SEND', request: JSON.stringify(MASKED) },
    });
  });

  it('is of an inbound message who wrote to whom', () => {
    const kept = {
      ...{ trackingId: 't', eventType: 'EMAIL_INBOUND', timestamp: '1', epochMs: 1, inbox: 'i', from: 'f' },
      ...{ to: ['t'], messageId: 'm' },
    };
    const message = { ...kept, subject: 's', bodyText: 'b', cc: undefined } as never;
    expect(bareInbound(message)).toEqual(kept);
  });
});

it('finds parameters that are named like a code or a token', () => {
  const secret = ['loginCode', 'reset_token', 'PIN', 'pass-code-otp', 'user.password', 'secret', 'v2Token'];
  const others = ['encoded', 'pinned', 'tokens', 'barcode', 'opinion', 'name'];
  expect(secretNames([...secret, ...others])).toEqual(secret);
});
