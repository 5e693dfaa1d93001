import { handler as createAddress } from '../../../functions/addresses/create-address.ts';
import { handler as twilioCallback } from '../../../functions/callbacks/receive-twilio-callback.ts';
import { findRecord } from '../../../functions/logs/find-record.ts';
import { buildCallbackUrl } from '../../../shared/channels/phone/callback-url.ts';
import { retentions } from '../../../shared/database/entities/accounts/retentions.ts';
import { logs } from '../../../shared/database/entities/logs/logs.ts';
import { messageBody } from '../../../shared/messaging/message-body.ts';
import { INBOUND_MAIL_QUEUE, INBOUND_SMS_QUEUE } from '../../../shared/messaging/queue-names.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { receiptBody } from '../../functions/workers/inbound/receipts.ts';
import {
  bounceEvent,
  clickEvent,
  deliveryEvent,
  openEvent,
} from '../../shared/channels/email/ses-event-fixtures.ts';
import { toSnsNotification } from '../../support/fakes/aws-sms.ts';
import { buildTwilioCallback } from '../../support/fakes/twilio.ts';
import { OUR_NUMBER } from '../providers.ts';
import type { Scenario } from '../run.ts';
import { type Story, toChannels } from '../story.ts';

const ADA_NUMBER = '+12025550123';

/** The SNS notification of an SES event about an email of this service. */
function sesEventOf({ account, environment }: Story, trackingId: string, event: object): string {
  const tags = {
    trackingId: [trackingId],
    accountId: [account.accountId],
    envId: [environment.environmentId],
  };
  const given = event as { mail: object };
  return toSnsNotification({ ...given, mail: { ...given.mail, tags } });
}

function phoneEventOf(story: Story, trackingId: string, overrides: object): string {
  const { world, account, environment } = story;
  return toSnsNotification({
    eventType: 'TEXT_DELIVERED',
    eventTimestamp: world.nowMs,
    isFinal: true,
    originationPhoneNumber: OUR_NUMBER,
    destinationPhoneNumber: ADA_NUMBER,
    messageId: 'message-1',
    messageStatusDescription: 'Message has been accepted by phone',
    context: { trackingId, accountId: account.accountId, envId: environment.environmentId },
    totalMessageParts: 1,
    totalMessagePrice: 0.005,
    totalCarrierFee: 0.003,
    ...overrides,
  });
}

/** Ada replies with a text message. */
export function textIn(story: Story, text: string): void {
  const inboundMessageId = `in-${encodeURIComponent(text)}`;
  const event = {
    originationNumber: ADA_NUMBER,
    destinationNumber: OUR_NUMBER,
    messageBody: text,
    inboundMessageId,
  };
  const notification = toSnsNotification(event, new Date(story.world.nowMs).toISOString());
  story.comesIn(INBOUND_SMS_QUEUE, messageBody(JSON.parse(notification)));
}

/** Returns the fields that the log of the first notification lacks. */
export async function missing(story: Story, fields: Readonly<Record<string, unknown>>): Promise<string[]> {
  const [first] = story.tracked;
  const record: Record<string, unknown> = {
    ...(await findRecord(resolve(logs), first?.trackingId ?? '', {
      ...{ accountId: story.account.accountId, nowMs: story.world.nowMs },
      rule: resolve(retentions).ruleOf(story.account.accountId),
    })),
  };
  return Object.entries(fields)
    .filter(([name, value]) => (value === true ? record[name] === undefined : record[name] !== value))
    .map(([name]) => `the log has ${name} ${record[name]}`);
}

const textsTo = ({ world }: Story, trackingId?: string) =>
  world.accepted.filter(
    (each) => each.channel === 'SMS' && (trackingId === undefined || each.trackingId !== trackingId),
  );

/** Twilio reports the end of a text message or call; its price is requested later. */
async function twilioTells(story: Story, trackingId: string, channel: 'sms' | 'call', params: object) {
  const { account, environment } = story;
  const tags = { trackingId, accountId: account.accountId, environmentId: environment.environmentId };
  const url = buildCallbackUrl(`https://api.example.com/callbacks/twilio/${channel}`, tags);
  const callback = buildTwilioCallback({ authToken: 'token', url, params: { ...params } });
  const query = Object.fromEntries(new URL(url).searchParams);
  const { headers, body: rawBody } = callback;
  return story.request(twilioCallback, { path: { channel }, query, headers, rawBody });
}

/** Everything inbound: receipts, prices, replies. */
export const scenarios: readonly Scenario[] = [
  {
    name: 'receipts of an email, one of them twice',
    async act(story) {
      const trackingId = await story.sendAndWait(toChannels(['EMAIL']), { EMAIL: 'sent' });
      for (const event of [openEvent(), deliveryEvent(), deliveryEvent(), clickEvent()])
        story.comesIn('ingest-ses', sesEventOf(story, trackingId, event));
    },
    check: (story) =>
      missing(story, { email_delivered_at: true, email_opened_at: true, email_clicked_at: true }),
  },
  {
    name: 'a bounce that suppresses',
    async act(story) {
      const trackingId = await story.sendAndWait(toChannels(['EMAIL']), { EMAIL: 'sent' });
      story.comesIn('ingest-ses', sesEventOf(story, trackingId, bounceEvent('Permanent', 'General')));
      await story.pass(30);
      await story.send(toChannels(['EMAIL']), { EMAIL: 'none' });
      const other = { id: 'bob', email: 'ada@example.com' };
      await story.send(toChannels(['EMAIL'], { to: other }), { EMAIL: 'none' });
    },
    check: (story) => missing(story, { email_failed_code: true }),
  },
  {
    name: 'receipts of a text and a call, twice',
    async act(story) {
      const trackingId = await story.sendAndWait(toChannels(['SMS', 'CALL']), { SMS: 'sent', CALL: 'sent' });
      for (let times = 0; times < 2; times += 1) {
        story.comesIn('ingest-phone', phoneEventOf(story, trackingId, {}));
        const call = { eventType: 'VOICE_COMPLETED', messageId: 'call-1' };
        story.comesIn('ingest-phone', phoneEventOf(story, trackingId, call));
      }
    },
    check: (story) => missing(story, { sms_delivered_at: true, call_delivered_at: true }),
  },
  {
    name: 'the price of a text and of a call',
    hours: 2,
    async act(story) {
      const trackingId = await story.sendAndWait(toChannels(['SMS', 'CALL']), { SMS: 'sent', CALL: 'sent' });
      const text = { MessageSid: 'SM1', MessageStatus: 'delivered', To: ADA_NUMBER, From: OUR_NUMBER };
      await twilioTells(story, trackingId, 'sms', text);
      await twilioTells(story, trackingId, 'sms', text);
      const call = { CallSid: 'CA1', CallStatus: 'completed', To: ADA_NUMBER, From: OUR_NUMBER };
      await twilioTells(story, trackingId, 'call', call);
    },
    check: (story) => missing(story, { sms_sent_cost: 0.0075, call_delivered_cost: 0.0075 }),
  },
  {
    name: 'an email comes in',
    async before(story) {
      const { json } = await story.request(createAddress, {
        body: { prefix: `help${story.account.accountId.toLowerCase()}` },
      });
      Object.assign(story, { inbox: json.address.fullAddress });
    },
    async act(story) {
      const { inbox } = story as Story & { inbox: string };
      const raw = `From: Ada <ada@example.com>\r\nTo: ${inbox}\r\nSubject: Hi\r\nMessage-ID: <1@example.com>\r\n\r\nHello\r\n`;
      story.world.blobs.set('inbound/mail-1', Buffer.from(raw));
      const body = receiptBody('mail-1', [inbox]);
      for (let times = 0; times < 2; times += 1) story.comesIn(INBOUND_MAIL_QUEUE, body);
      await story.pass(5);
    },
    check: ({ world }) => {
      const heads = world.table.list('INBOUND').length + world.table.list('LOG#').length;
      return heads > 0 ? [] : ['the email is not stored'];
    },
  },
  {
    name: 'a text message gets an automatic reply',
    async act(story) {
      const body = toChannels(['SMS'], { sms: { message: 'm', autoReply: { message: 'Thanks' } } });
      const trackingId = await story.sendAndWait(body, { SMS: 'sent' });
      textIn(story, 'Hello');
      await story.pass(10);
      return trackingId;
    },
    check: async (story) => [
      ...(await missing(story, { sms_inbound_text: 'Hello', sms_replied_text: 'Thanks' })),
      ...answered(story, 1),
    ],
  },
  {
    name: 'STOP while a text waits for its provider',
    isTimed: true,
    isPrompt: true,
    async act(story) {
      await story.sendAndWait(toChannels(['SMS']), { SMS: 'sent' });
      story.world.script.deliver = () => ({ kind: 'retry', code: 'Unknown', internal: 'busy' });
      await story.send(toChannels(['SMS']), { SMS: 'failed' });
      await story.pass(2);
      textIn(story, 'STOP');
      await story.pass(10);
      story.world.script.deliver = () => undefined;
      await story.pass(30);
    },
  },
  {
    name: 'STOP is confirmed once, and obeyed',
    async act(story) {
      await story.sendAndWait(toChannels(['SMS']), { SMS: 'sent' });
      textIn(story, 'STOP');
      await story.pass(60);
      await story.send(toChannels(['SMS']), { SMS: 'none' });
    },
    check: async (story) => [...(await missing(story, { sms_replied_text: true })), ...answered(story, 1)],
  },
];

/** Returns what is wrong with the number of automatic replies; a reply whose record a fault prevented can be repeated. */
export function answered(story: Story, wanted: number): string[] {
  const own = new Set(story.tracked.map(({ trackingId }) => trackingId));
  const ids = new Set(textsTo(story).flatMap(({ trackingId }) => (own.has(trackingId) ? [] : [trackingId])));
  return ids.size === wanted ? [] : [`${ids.size} replies, wanted ${wanted}`];
}
