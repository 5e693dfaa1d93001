import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { raisedCallsOf } from '../../../../functions/workers/webhooks/raised-calls.ts';
import { readStreamRecord } from '../../../../shared/database/entities/logs/log-items.ts';

const AT_MS = Date.parse('2026-11-21T08:30:00.000Z');

function record(sk: string, item: object = {}, eventName: DynamoDBRecord['eventName'] = 'INSERT') {
  const common = { pk: 'LOG#t1', sk, a: 'acct', e: 'env', u: 'ada', n: 'welcome', at: AT_MS, expiresAt: 99 };
  return { eventName, dynamodb: { NewImage: marshall({ ...common, f: {}, ...item }) } } as DynamoDBRecord;
}

const callsOf = (streamed: DynamoDBRecord) => raisedCallsOf(readStreamRecord(streamed));
const bodiesOf = (...args: Parameters<typeof record>) =>
  callsOf(record(...args)).map((call) => JSON.parse(call.body));

describe('an event appended to the log', () => {
  it.each([
    ['email', 'opened', 'EMAIL_OPEN', 'EMAIL'],
    ['email', 'clicked', 'EMAIL_CLICK', 'EMAIL'],
    ['email', 'failed', 'EMAIL_FAILED', 'EMAIL'],
    ['email', 'delivered', 'EMAIL_DELIVERED', 'EMAIL'],
    ['email', 'unsubscribe', 'EMAIL_UNSUBSCRIBE', 'EMAIL'],
    ['email', 'inbound', 'EMAIL_INBOUND', 'EMAIL'],
    ['inapp', 'failed', 'INAPP_WEB_FAILED', 'INAPP_WEB'],
    ['inapp', 'unsubscribe', 'INAPP_WEB_UNSUBSCRIBE', 'INAPP_WEB'],
    ['sms', 'delivered', 'SMS_DELIVERED', 'SMS'],
    ['sms', 'failed', 'SMS_FAILED', 'SMS'],
    ['sms', 'unsubscribe', 'SMS_UNSUBSCRIBE', 'SMS'],
    ['sms', 'subscribe', 'SMS_SUBSCRIBE', 'SMS'],
    ['sms', 'inbound', 'SMS_INBOUND', 'SMS'],
    ['mobile_push', 'failed', 'PUSH_FAILED', 'PUSH'],
    ['mobile_push', 'unsubscribe', 'PUSH_UNSUBSCRIBE', 'PUSH'],
    ['call', 'failed', 'CALL_FAILED', 'CALL'],
    ['call', 'unsubscribe', 'CALL_UNSUBSCRIBE', 'CALL'],
    ['web_push', 'failed', 'WEB_PUSH_FAILED', 'WEB_PUSH'],
    ['web_push', 'unsubscribe', 'WEB_PUSH_UNSUBSCRIBE', 'WEB_PUSH'],
    ['chat', 'failed', 'CHAT_FAILED', 'CHAT'],
    ['chat', 'unsubscribe', 'CHAT_UNSUBSCRIBE', 'CHAT'],
  ])('raises %s %s as %s', (prefix, stage, eventType, channel) => {
    const named = { eventType, channel, userId: 'ada', notificationId: 'welcome', trackingId: 't1' };
    expect(bodiesOf(`EVENT#${prefix}#${stage}`)).toMatchObject([named]);
    expect(bodiesOf(`EVENT#${prefix}#${stage}#seq`)).toMatchObject([named]);
  });

  it.each([
    'EVENT#email#sent',
    'EVENT#email#webhook#opened/1',
    'EVENT#call#delivered',
    'EVENT#sms#opened',
    'EVENT#email#constructor',
    'EVENT#fax#failed',
    'HEAD',
  ])('raises nothing: %s', (sk) => {
    expect(bodiesOf(sk)).toEqual([]);
  });

  it('raises delivered when it combines sent and delivered, under the ID of a later receipt', () => {
    const together = callsOf(record('EVENT#email#sent', { d: {} }));
    expect(together.map((call) => JSON.parse(call.body))).toMatchObject([{ eventType: 'EMAIL_DELIVERED' }]);
    expect(together).toEqual(callsOf(record('EVENT#email#delivered')));
    expect(bodiesOf('EVENT#chat#sent', { d: {} })).toEqual([]);
  });

  it('raises nothing again when it is changed or removed', () => {
    expect(bodiesOf('EVENT#email#opened', {}, 'MODIFY')).toEqual([]);
    expect(bodiesOf('EVENT#email#opened', {}, 'REMOVE')).toEqual([]);
  });

  it('keeps its ID every time, and differs from another event', () => {
    const idOf = (sk: string) => callsOf(record(sk))[0]?.id;
    expect(idOf('EVENT#email#opened#a')).toBe(idOf('EVENT#email#opened#a'));
    const ids = ['opened#a', 'opened#b', 'opened', 'failed'].map((each) => idOf(`EVENT#email#${each}`));
    expect(new Set(ids).size).toBe(4);
  });

  it('shows why a channel failed and which link was clicked', () => {
    expect(
      bodiesOf('EVENT#mobile_push#failed', { f: { mobile_push_failed_code: 'NO_APN_CONFIG' } }),
    ).toMatchObject([{ failureCode: 'NO_APN_CONFIG' }]);
    const f = { email_clicked_link: 'https://shop.example/', email_clicked_link_tags: '{"a":["b"]}' };
    expect(bodiesOf('EVENT#email#clicked', { f })).toMatchObject([
      { clickedLink: 'https://shop.example/', clickedLinkTags: '{"a":["b"]}' },
    ]);
  });

  it('carries the inbound message, truncated when it is long', () => {
    const f = { sms_inbound_from: '+4915112345678', sms_inbound_to: '+12025550123', sms_inbound_text: 'Hi' };
    expect(bodiesOf('EVENT#sms#inbound', { f })).toMatchObject([
      {
        from: '+4915112345678',
        to: ['+12025550123'],
        bodyText: 'Hi',
        receivedAt: '2026-11-21T08:30:00.000Z',
      },
    ]);
    const message = {
      trackingId: 'other',
      eventType: 'inbound',
      from: 'bob@example.com',
      bodyText: 'ü'.repeat(99_999),
    };
    const [body] = bodiesOf('EVENT#email#inbound', { record: message });
    expect(body).toMatchObject({ eventType: 'EMAIL_INBOUND', trackingId: 't1', from: 'bob@example.com' });
    expect(body.bodyText).toHaveLength(16_384);
  });
});

describe('the head of a notification', () => {
  const routes = { EMAIL: { r: 'SEND', code: 'MISSING_EMAIL_RECIPIENT' }, SMS: { r: 'SEND' } };
  const ofChannels = (...args: Parameters<typeof bodiesOf>) =>
    bodiesOf(...args).filter(({ eventType }) => eventType !== 'NOTIFICATION_ACCEPTED');

  it('reports channels that fail immediately once the notification is accepted, not while it waits', () => {
    expect(ofChannels('HEAD', { state: 'accepted', routes })).toMatchObject([
      { eventType: 'EMAIL_FAILED', failureCode: 'MISSING_EMAIL_RECIPIENT' },
    ]);
    expect(bodiesOf('HEAD', { state: 'accepted', routes }, 'MODIFY')).toHaveLength(1);
    expect(ofChannels('HEAD', { state: 'scheduled', routes })).toEqual([]);
  });

  it.each([
    ['sent now', { state: 'accepted' }, {}],
    ['scheduled', { state: 'scheduled' }, {}],
    ['to a topic', { state: 'fanning', u: '', topic: 'news' }, { userId: '', topic: 'news' }],
    ['to a member of a topic', { state: 'accepted', parent: 't0' }, {}],
  ])('reports the acceptance once: %s', (_, item, more) => {
    const named = { eventType: 'NOTIFICATION_ACCEPTED', userId: 'ada', trackingId: 't1', ...more };
    expect(bodiesOf('HEAD', item)).toMatchObject([named]);
    expect(bodiesOf('HEAD', item)[0]).not.toHaveProperty('channel');
    expect(bodiesOf('HEAD', { ...item, state: 'accepted' }, 'MODIFY')).toEqual([]);
  });

  it.each([
    ['a refused request', { state: 'cancelled', failedCode: 'INVALID_SCHEDULE_FORMAT' }],
    ['the message of a digest', { state: 'accepted', digestBlob: 'x' }],
    ['an inbound message', { state: 'accepted', n: '' }],
    ['an erased notification', { state: 'accepted', u: '' }],
  ])('reports no acceptance of %s', (_, item) => {
    expect(bodiesOf('HEAD', item)).toEqual([]);
  });

  it('reports channels that are not sent, with the reason, when the decision is final', () => {
    const withheld = {
      EMAIL: { r: 'IGNORE', why: 'IGNORE_BY_PREFERENCES' },
      SMS: { r: 'IGNORE', why: 'NO_ADDRESS', code: 'MISSING_NUMBER' },
      CHAT: { r: 'THROTTLED' },
      PUSH: { r: 'DEDUPLICATED' },
      INAPP_WEB: { r: 'BATCH' },
      CALL: { r: 'OFF' },
    };
    expect(ofChannels('HEAD', { state: 'accepted', routes: withheld })).toMatchObject([
      { eventType: 'NOTIFICATION_NOT_SENT', channel: 'EMAIL', reason: 'IGNORE_BY_PREFERENCES' },
      { eventType: 'SMS_FAILED', channel: 'SMS' },
      { eventType: 'NOTIFICATION_NOT_SENT', channel: 'SMS', reason: 'NO_ADDRESS' },
      { eventType: 'NOTIFICATION_NOT_SENT', channel: 'PUSH', reason: 'DEDUPLICATED' },
      { eventType: 'NOTIFICATION_NOT_SENT', channel: 'CHAT', reason: 'THROTTLED' },
    ]);
    expect(ofChannels('HEAD', { state: 'scheduled', routes: withheld })).toEqual([]);
  });
});

describe('an event that ends a channel without sending it', () => {
  const reasonOf = (sk: string, f: object, item: object = {}) =>
    bodiesOf(sk, { f, ...item }).flatMap(({ eventType, reason }) =>
      eventType === 'NOTIFICATION_NOT_SENT' ? [reason] : [],
    );

  it.each([
    ['sms#withheld', { sms_routing: 'IGNORE', sms_routing_reason: 'OVER_CAP' }, ['OVER_CAP']],
    ['sms#withheld', { sms_routing: 'THROTTLED' }, ['THROTTLED']],
    ['sms#withheld', { sms_routing: 'IGNORE' }, ['UNKNOWN']],
    ['email#digest', { email_routing: 'IGNORE', email_routing_reason: 'CONDITION' }, ['CONDITION']],
    ['sms#failed', { sms_routing: 'IGNORE', sms_routing_reason: 'NO_ADDRESS' }, ['NO_ADDRESS']],
    ['sms#skipped', { sms_skipped_reason: 'SEEN' }, ['SEEN']],
    ['sms#withheld', { sms_routing: 'IGNORE', sms_skipped_reason: 'CANCELED' }, []],
    ['sms#withheld', {}, []],
    ['sms#failed', { sms_failed_code: 'UNKNOWN' }, []],
    ['sms#collected', { sms_routing: 'BATCH' }, []],
  ])('%s %o: %o', (event, f, reasons) => {
    expect(reasonOf(`EVENT#${event}`, f)).toEqual(reasons);
    expect(reasonOf(`EVENT#${event}`, f, { u: '' })).toEqual([]);
  });
});

it('marks the calls of notifications that may have metadata', () => {
  const marked = (...args: Parameters<typeof record>) =>
    callsOf(record(...args)).map(({ hasMetadata }) => hasMetadata);
  expect(marked('EVENT#email#opened', { m: true })).toEqual([true]);
  expect(marked('EVENT#email#opened')).toEqual([undefined]);
  expect(marked('EVENT#email#inbound')).toEqual([true]);
  expect(marked('HEAD', { state: 'accepted', m: true })).toEqual([true]);
});
