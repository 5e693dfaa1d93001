import { describe, expect, it } from 'vitest';
import { type CopyMedia, createAwsCarrierLookup } from '../../../../shared/channels/phone/aws/aws.ts';
import { clientOf, copyToS3, fakeAws } from './aws-setup.ts';
import { callDelivery, smsDelivery, TAGS, withoutFrom } from './deliveries.ts';

const CONTEXT = { trackingId: TAGS.trackingId, accountId: TAGS.accountId, envId: TAGS.environmentId };

describe('until when AWS keeps a message', () => {
  const NOW_MS = Date.parse('2026-11-20T10:00:00Z');
  it.each([
    [undefined, 1800, 1800],
    [600, 1800, 600],
    [undefined, 1, 5],
    [undefined, 300_000, undefined],
    [600, undefined, 600],
  ])('with %s by configuration, and %s seconds until quiet hours', async (usual, seconds, expected) => {
    const { fake, sms, call } = await fakeAws();
    const validUntilMs = seconds && NOW_MS + seconds * 1000;
    const options = usual === undefined ? {} : { timeToLiveSeconds: usual };
    await sms(options).deliver(smsDelivery({ validUntilMs }));
    await call(options).deliver(callDelivery({ validUntilMs }));
    expect(fake.inputs().map(({ input }) => (input as { TimeToLive?: number }).TimeToLive)).toEqual([
      expected,
      expected,
    ]);
  });
});

describe('SMS over AWS', () => {
  it('sends the text message with the tracking ID in its context and records the sent fields', async () => {
    const { fake, sms } = await fakeAws();
    const outcome = await sms({
      configurationSetName: 'events',
      protectConfigurationId: 'protect-1',
      messageFeedbackEnabled: true,
      timeToLiveSeconds: 600,
    }).deliver(smsDelivery({ maxPriceUsd: 0.05, messageType: 'promotional' }));
    expect(fake.inputs()).toEqual([
      {
        operation: 'SendTextMessage',
        input: {
          DestinationPhoneNumber: '+14155552671',
          OriginationIdentity: '+15005550006',
          MessageBody: 'Your order is on its way.',
          MessageType: 'PROMOTIONAL',
          ConfigurationSetName: 'events',
          ProtectConfigurationId: 'protect-1',
          MessageFeedbackEnabled: true,
          TimeToLive: 600,
          MaxPrice: '0.05000',
          Context: CONTEXT,
        },
      },
    ]);
    expect(outcome).toEqual({
      kind: 'sent',
      fields: {
        sms_sent_from: '+15005550006',
        sms_sent_messageId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        sms_sent_encoding: 'GSM-7',
        sms_sent_segments: 1,
        sms_sent_parts: 1,
        sms_sent_country: 'US',
      },
    });
  });

  it('counts the segments of text outside GSM-7', async () => {
    const { sms } = await fakeAws();
    const outcome = await sms().deliver(smsDelivery({ message: '\u{1f600}'.repeat(36) }));
    expect(outcome).toMatchObject({
      fields: { sms_sent_encoding: 'UCS-2', sms_sent_segments: 2, sms_sent_parts: 2 },
    });
  });

  it('lets AWS choose the number, or uses the configured identity, when the delivery names none', async () => {
    const { fake, sms } = await fakeAws();
    const outcome = await sms().deliver(withoutFrom(smsDelivery()));
    expect(outcome).toMatchObject({ kind: 'sent' });
    expect(outcome).not.toHaveProperty('fields.sms_sent_from');
    await sms({ originationIdentity: 'pool-1' }).deliver(withoutFrom(smsDelivery()));
    expect(fake.inputs().map(({ input }) => input.OriginationIdentity)).toEqual([undefined, 'pool-1']);
  });

  it('sends one media message per file, with the text in the first', async () => {
    const { fake, sms } = await fakeAws();
    const mediaUrls = ['https://a.example/1.png', 'https://a.example/2.png'];
    const outcome = await sms().deliver(smsDelivery({ mediaUrls }));
    expect(
      fake.inputs().map(({ operation, input }) => [operation, input.MessageBody, input.MediaUrls]),
    ).toEqual([
      ['SendMediaMessage', 'Your order is on its way.', ['s3://media/1.png']],
      ['SendMediaMessage', undefined, ['s3://media/2.png']],
    ]);
    expect(outcome).toMatchObject({
      kind: 'sent',
      fields: { sms_sent_mms: true, sms_sent_segments: 2, sms_sent_parts: 2, sms_sent_country: 'US' },
    });
    expect(outcome).not.toHaveProperty('fields.sms_sent_encoding');
  });

  it('sends media without a text', async () => {
    const { fake, sms } = await fakeAws();
    const outcome = await sms().deliver(smsDelivery({ message: '', mediaUrls: ['https://a.example/1.png'] }));
    expect(outcome.kind).toBe('sent');
    expect(fake.inputs()[0]?.input).not.toHaveProperty('MessageBody');
  });

  it.each([
    [false, { kind: 'rejected', code: 'Unknown', internal: 'media: too large' }],
    [true, { kind: 'retry', code: 'Unknown', internal: 'media: too large' }],
  ])('sends nothing when a file cannot be copied (temporary: %s)', async (temporary, expected) => {
    const { fake, sms } = await fakeAws();
    const copyMedia: CopyMedia = async (url, accountId) =>
      url.endsWith('2.png') ? { failed: 'too large', temporary } : copyToS3(url, accountId);
    const mediaUrls = ['https://a.example/1.png', 'https://a.example/2.png'];
    expect(await sms({ copyMedia }).deliver(smsDelivery({ mediaUrls }))).toEqual(expected);
    expect(fake.requests).toEqual([]);
  });

  it('waits when the account has its share of files in progress', async () => {
    const { fake, sms } = await fakeAws();
    const copyMedia: CopyMedia = async (_, accountId) => {
      expect(accountId).toBe(smsDelivery().accountId);
      return { waitSeconds: 2 };
    };
    const delivery = smsDelivery({ mediaUrls: ['https://a.example/1.png'] });
    expect(await sms({ copyMedia }).deliver(delivery)).toEqual({ kind: 'postponed', afterSeconds: 2 });
    expect(fake.requests).toEqual([]);
  });

  it('does not repeat an accepted file when a later one is rejected', async () => {
    const { fake, sms } = await fakeAws();
    fake.next({ status: 200, body: { MessageId: 'first' } });
    fake.fail({ name: 'ThrottlingException', Message: 'slow down' });
    const mediaUrls = ['https://a.example/1.png', 'https://a.example/2.png'];
    const outcome = await sms().deliver(smsDelivery({ mediaUrls }));
    expect(outcome).toMatchObject({
      kind: 'sent',
      fields: {
        sms_sent_messageId: 'first',
        sms_sent_parts: 1,
        sms_failed_internal: expect.stringContaining('ThrottlingException'),
      },
    });
  });

  it('sends no file when copying them took its time, and comes back', async () => {
    const { fake, sms } = await fakeAws();
    const mediaUrls = ['https://a.example/1.png'];
    const outcome = await sms().deliver(smsDelivery({ mediaUrls, timeLeftMs: () => 11_000 }));
    expect(outcome).toEqual({ kind: 'postponed', afterSeconds: 1 });
    expect(fake.requests).toEqual([]);
  });

  it('records the files for which the first one left no time', async () => {
    const { fake, sms } = await fakeAws();
    const mediaUrls = ['https://a.example/1.png', 'https://a.example/2.png', 'https://a.example/3.png'];
    const timeLeftMs = () => (fake.requests.length === 0 ? 20_000 : 11_000);
    const outcome = await sms().deliver(smsDelivery({ mediaUrls, timeLeftMs }));
    expect(fake.requests).toHaveLength(1);
    expect(outcome).toMatchObject({
      kind: 'sent',
      fields: { sms_sent_parts: 1, sms_failed_internal: expect.stringContaining('no time for the others') },
    });
  });

  it('counts the files that were accepted, whichever was not', async () => {
    const { fake, sms } = await fakeAws();
    for (const MessageId of ['first', 'second']) fake.next({ status: 200, body: { MessageId } });
    fake.fail({ name: 'ThrottlingException', Message: 'slow down' });
    const mediaUrls = [1, 2, 3, 4].map((index) => `https://a.example/${index}.png`);
    const { fields } = (await sms().deliver(smsDelivery({ mediaUrls }))) as { fields: object };
    expect(fields).toMatchObject({ sms_sent_messageId: 'first', sms_sent_parts: 3 });
    expect(fields).toHaveProperty('sms_failed_internal', expect.stringContaining('ThrottlingException'));
  });

  it('adds the carrier from a lookup', async () => {
    const { client, sms } = await fakeAws();
    const outcome = await sms({ findCarrier: createAwsCarrierLookup(client) }).deliver(smsDelivery());
    expect(outcome).toMatchObject({
      kind: 'sent',
      fields: { sms_sent_carrier: 'Fake Wireless', sms_sent_line_type: 'mobile', sms_sent_country: 'US' },
    });
  });

  it.each([
    ['finds nothing', createAwsCarrierLookup(clientOf('http://127.0.0.1:1'))],
    [
      'throws',
      async () => {
        throw new Error('the store is down');
      },
    ],
  ])('counts a message as sent even when the lookup %s', async (_, findCarrier) => {
    const { sms } = await fakeAws();
    const outcome = await sms({ findCarrier }).deliver(smsDelivery());
    expect(outcome.kind).toBe('sent');
    expect(outcome).not.toHaveProperty('fields.sms_sent_carrier');
  });
});

describe('CALL over AWS', () => {
  it('speaks the text as plain text', async () => {
    const { fake, call } = await fakeAws();
    const outcome = await call({ voiceId: 'JOANNA', maxPricePerMinuteUsd: '0.10' }).deliver(callDelivery());
    expect(fake.inputs()).toEqual([
      {
        operation: 'SendVoiceMessage',
        input: {
          DestinationPhoneNumber: '+14155552671',
          OriginationIdentity: '+15005550006',
          MessageBody: 'Your order is on its way.',
          MessageBodyTextType: 'TEXT',
          VoiceId: 'JOANNA',
          MaxPricePerMinute: '0.10',
          Context: CONTEXT,
        },
      },
    ]);
    expect(outcome).toEqual({ kind: 'sent', fields: { call_sent_from: '+15005550006' } });
  });
});

it.each([
  [
    { language: 'fr-FR', repeat: 2 },
    { MessageBody: 'A\n\nA', MessageBodyTextType: 'TEXT', VoiceId: 'LEA' },
  ],
  [{ language: 'fr', voice: 'Mathieu' }, { VoiceId: 'MATHIEU' }],
  [{ language: 'fr', voice: 'Polly.Céline-Neural' }, { VoiceId: 'CELINE' }],
  [{ language: 'fr', voice: 'Google.fr-FR-Standard-A' }, { VoiceId: 'LEA' }],
  [{ language: 'fi' }, { VoiceId: undefined }],
  [
    { message: '<speak>A<break/></speak>', language: 'de', repeat: 2 },
    {
      MessageBody: '<speak>A<break/><break time="1s"/>A<break/></speak>',
      MessageBodyTextType: 'SSML',
      VoiceId: 'VICKI',
    },
  ],
  [{ message: 'x'.repeat(1400), repeat: 3 }, { MessageBody: `${'x'.repeat(1400)}\n\n${'x'.repeat(1400)}` }],
])('a call over AWS with %o gets the voice of its language', async (over, expected) => {
  const { fake, call } = await fakeAws();
  await call().deliver(callDelivery({ message: 'A', ...over } as object));
  const { input } = fake.inputs()[0] ?? {};
  expect(input).toMatchObject(JSON.parse(JSON.stringify(expected)));
  expect(Object.hasOwn(Object(input), 'VoiceId')).toBe(
    'VoiceId' in expected && expected.VoiceId !== undefined,
  );
});

describe('without a sender number', () => {
  it('a call and a media message are rejected, as by AWS', async () => {
    const { fake, sms, call } = await fakeAws();
    const refusal = { kind: 'rejected', code: '21612' };
    expect(await call().deliver(withoutFrom(callDelivery()))).toMatchObject(refusal);
    const media = withoutFrom(smsDelivery({ mediaUrls: ['https://a.example/1.png'] }));
    expect(await sms().deliver(media)).toMatchObject(refusal);
    expect(fake.requests).toEqual([]);
  });
});
