import { describe, expect, it } from 'vitest';
import { handler as twilio } from '../../../../functions/callbacks/receive-twilio-callback.ts';
import { handler as getUser } from '../../../../functions/users/get-user.ts';
import { handler as ingestPhone } from '../../../../functions/workers/receipts/ingest-phone.ts';
import { raisedCallsOf } from '../../../../functions/workers/webhooks/raised-calls.ts';
import { call, createTestAccount, type TestAccount } from '../../../support/app.ts';
import { toSnsNotification } from '../../../support/fakes/aws-sms.ts';
import { buildTwilioCallback } from '../../../support/fakes/twilio.ts';
import { publish, recordOf } from '../../../support/workers.ts';
import { insertedEvents } from '../receipts/inserted-events.ts';
import {
  app,
  ask,
  chooseNumber,
  listOf,
  OURS,
  person,
  receive,
  sendText,
  sent,
  textOf,
  useInboundSms,
} from './sms-setup.ts';

useInboundSms();

it('records a reply once, in the list and in the log of the last text message', async () => {
  const account = await createTestAccount(app);
  await sendText(account);
  const trackingId = await sendText(account);
  const at = new Date(app.clock.nowMs).toISOString();
  const body = textOf('Größe?');
  await receive(body, body);
  await receive(body);
  const record = await recordOf(account, trackingId);
  expect(Object.keys(record).filter((name) => name.startsWith('email_inbound'))).toEqual([]);
  expect(record).toMatchObject({
    sms_inbound_at: at,
    sms_inbound_from: person.number,
    sms_inbound_to: OURS,
    sms_inbound_text: 'Größe?',
  });
  expect(await listOf(account)).toMatchObject([
    {
      trackingId,
      eventType: 'sms_inbound',
      timestamp: at,
      from: person.number,
      to: [OURS],
      bodyText: 'Größe?',
    },
  ]);
  expect(await listOf(await createTestAccount(app))).toEqual([]);
});

it('shows in a dry run that the user opted out, from the number they replied to', async () => {
  const account = await createTestAccount(app);
  await sendText(account);
  const refusal = 'SMS is not sent: the user opted out of text messages.';
  for (const [word, messages] of [
    ['STOP', [refusal]],
    ['START', []],
    ['STOP', [refusal]],
  ] as const) {
    await receive(textOf(word));
    for (const from of [undefined, OURS])
      expect((await ask(account, from, 'true')).messages).toEqual(messages);
    expect((await ask(account, '+15005550009')).messages).toEqual([]);
  }
  expect(await ask(account)).toMatchObject({ messages: [refusal] });
  const { json: user } = await call(getUser, { key: account.secret.key, path: { userId: 'ada' } });
  expect(user).not.toHaveProperty('smsOptOuts');
  person.number = '+12025559999';
  expect((await ask(account)).messages).toEqual([]);
});

it('ignores a text message from a number that was never sent to', async () => {
  await receive(textOf('Hello'), '{}', 'no JSON');
  const account = await createTestAccount(app);
  const trackingId = await sendText(account);
  expect(sent).toEqual([trackingId]);
});

it('records text messages with media from Twilio and raises a webhook call', async () => {
  process.env.PUBLIC_BASE_URL = 'https://notify.example.com';
  process.env.TWILIO_AUTH_TOKEN = 'token';
  const account = await createTestAccount(app);
  const trackingId = await sendText(account);
  const params = {
    MessageSid: 'SM9',
    SmsStatus: 'received',
    From: person.number,
    To: OURS,
    Body: '',
    NumMedia: '1',
    MediaUrl0: 'https://api.twilio.com/media/1',
    MediaContentType0: 'image/png',
  };
  const url = 'https://notify.example.com/callbacks/twilio/sms';
  const { headers, body } = buildTwilioCallback({ authToken: 'token', url, params });
  const { status } = await call(twilio, { path: { channel: 'sms' }, headers, rawBody: body });
  expect(status).toBe(200);
  const media = [{ url: 'https://api.twilio.com/media/1', contentType: 'image/png' }];
  expect(await listOf(account)).toMatchObject([{ trackingId, media }]);
  const raised = (await insertedEvents(app, trackingId)).flatMap(raisedCallsOf);
  const inbound = raised.find(({ eventType }) => eventType === 'SMS_INBOUND');
  expect(JSON.parse(inbound?.body ?? '{}')).toMatchObject({
    trackingId,
    userId: 'ada',
    from: person.number,
    media,
  });
});

describe('a reply to a text message whose sender number the provider chose', () => {
  const chosen = '+15005550042';
  const delivered = ({ account, environment }: TestAccount, trackingId: string) =>
    toSnsNotification({
      eventType: 'TEXT_DELIVERED',
      eventTimestamp: app.clock.nowMs,
      isFinal: true,
      originationPhoneNumber: chosen,
      messageId: `m-${trackingId}`,
      context: { trackingId, accountId: account.accountId, envId: environment.environmentId },
    });

  it.each(['pool-0123456789abcdef', undefined])(
    'from %s is recorded once the receipt names the number',
    async (from) => {
      const account = await createTestAccount(app);
      chooseNumber(from);
      const trackingId = await sendText(account);
      const receipt = delivered(account, trackingId);
      await publish(ingestPhone, receipt, receipt);
      await receive(textOf('STOP', 'in-chosen', app.clock.nowMs, chosen));
      expect(await recordOf(account, trackingId)).toMatchObject({
        sms_inbound_to: chosen,
        sms_unsubscribe_keyword: 'STOP',
      });
      const refused = await sendText(account);
      expect(await recordOf(account, refused)).toMatchObject({ sms_failed_code: '21610' });
    },
  );
});
