import { describe, expect, it } from 'vitest';
import { handler as getUser } from '../../../../functions/users/get-user.ts';
import { handler as ingestSes } from '../../../../functions/workers/receipts/ingest-ses.ts';
import { raisedCallsOf } from '../../../../functions/workers/webhooks/raised-calls.ts';
import { suppressions } from '../../../../shared/database/entities/users/suppressions.ts';
import { logPk } from '../../../../shared/database/keys/key.ts';
import { resolve } from '../../../../shared/runtime/dependency.ts';
import {
  bounceEvent,
  clickEvent,
  delayEvent,
  deliveryEvent,
  openEvent,
  sendEvent,
} from '../../../shared/channels/email/ses-event-fixtures.ts';
import { call, createTestAccount, type TestAccount } from '../../../support/app.ts';
import { toSnsNotification } from '../../../support/fakes/aws-sms.ts';
import { useAccount, useApp } from '../../../support/use-app.ts';
import { publish, recordOf } from '../../../support/workers.ts';
import { accepted } from './accepted.ts';
import { insertedEvents } from './inserted-events.ts';

const app = useApp();
const account = useAccount(app, 'test');

type Tags = Awaited<ReturnType<typeof accepted>>;

/** The SNS notification of an event about a notification. */
function notification(event: object, { trackingId, accountId, environmentId }: Tags): string {
  const given = event as { mail: object };
  const tags = { trackingId: [trackingId], accountId: [accountId], envId: [environmentId] };
  return toSnsNotification({ ...given, mail: { ...given.mail, tags } });
}

function bounceOf(emailAddress: string, type = 'Permanent', subType = 'General') {
  const event = bounceEvent(type, subType) as { bounce: object };
  return { ...event, bounce: { ...event.bounce, bouncedRecipients: [{ emailAddress }] } };
}

const eventsOf = async (trackingId: string) =>
  (await app.database.queryAll(logPk(trackingId), 'EVENT#')).map((item) => String(item.sk));

async function suppressionOf({ secret }: TestAccount) {
  const { json } = await call(getUser, { key: secret.key, path: { userId: 'ada' } });
  return json.emailSuppressionStatus;
}

it('records deliveries, opens and clicks', async () => {
  const tags = await accepted(account);
  const events = [deliveryEvent(), openEvent(), clickEvent()].map((event) => notification(event, tags));
  await publish(ingestSes, ...events);
  expect(await recordOf(account, tags.trackingId)).toMatchObject({
    email_delivered_at: '2026-11-20T10:00:04.133Z',
    email_opened_at: '2026-11-20T11:00:19.652Z',
    email_opened_ip: '198.51.100.7',
    email_clicked_link: 'https://shop.example/orders/1',
  });
});

it('changes nothing when events repeat or arrive in another order', async () => {
  const tags = await accepted(account);
  const other = await accepted(account);
  const events = [deliveryEvent(), openEvent(), clickEvent()];
  const bodies = events.map((event) => notification(event, tags));
  await publish(ingestSes, ...bodies);
  const once = await recordOf(account, tags.trackingId);
  await publish(ingestSes, ...bodies, ...bodies);
  expect(await recordOf(account, tags.trackingId)).toEqual(once);
  expect(await eventsOf(tags.trackingId)).toHaveLength(3);
  for (const event of events.toReversed()) await publish(ingestSes, notification(event, other));
  const { email_opened_at, email_delivered_at } = await recordOf(account, other.trackingId);
  expect({ email_opened_at, email_delivered_at }).toEqual({
    email_opened_at: once.email_opened_at,
    email_delivered_at: once.email_delivered_at,
  });
});

it('keeps each of several clicks, with the first one in the record', async () => {
  const tags = await accepted(account);
  const links = ['https://shop.example/a', 'https://shop.example/b'];
  await publish(ingestSes, ...links.map((link) => notification(clickEvent(link), tags)));
  expect(await eventsOf(tags.trackingId)).toHaveLength(2);
  expect(links).toContain((await recordOf(account, tags.trackingId)).email_clicked_link);
});

it('records the details of a delay from SES, which is not a failure', async () => {
  const tags = await accepted(account);
  const body = notification(delayEvent(), tags);
  await publish(ingestSes, body, body);
  const record = await recordOf(account, tags.trackingId);
  expect(record.email_failed_internal).toContain('TransientCommunicationFailure');
  expect(record).not.toHaveProperty('email_failed_at');
  expect(record).not.toHaveProperty('email_failed_code');
  expect(await eventsOf(tags.trackingId)).toHaveLength(1);
  await publish(ingestSes, notification(bounceOf('Ada@example.com'), tags));
  const { email_failed_code, email_failed_internal } = await recordOf(account, tags.trackingId);
  expect(email_failed_code).toBe('PERMANENT_GENERAL_BOUNCE');
  expect(email_failed_internal).not.toContain('TransientCommunicationFailure');
});

it('records a permanent bounce and suppresses the address', async () => {
  const tags = await accepted(account);
  await publish(ingestSes, notification(bounceOf('ADA@example.com'), tags));
  expect(await recordOf(account, tags.trackingId)).toMatchObject({
    email_failed_code: 'PERMANENT_GENERAL_BOUNCE',
    email_failed_recipient: 'ADA@example.com',
  });
  expect(await suppressionOf(account)).toMatchObject({ reason: 'Bounce' });
});

it('does not suppress the user after a bounce of a copy or a transient bounce', async () => {
  const tags = await accepted(account);
  await publish(ingestSes, notification(bounceOf('copy@example.com'), tags));
  await publish(ingestSes, notification(bounceOf('ada@example.com', 'Transient', 'MailboxFull'), tags));
  expect(await suppressionOf(account)).toBeUndefined();
  expect(await eventsOf(tags.trackingId)).toHaveLength(2);
});

it('suppresses an address after the fifth transient bounce within two weeks, and drops older ones', async () => {
  const tags = await accepted(account);
  const bounceAt = async (day: number, subType = 'General') => {
    const { bounce, ...event } = bounceOf('ada@example.com', 'Transient', subType) as { bounce: object };
    const timestamp = new Date(Date.UTC(2026, 10, day)).toISOString();
    const body = notification({ ...event, bounce: { ...bounce, timestamp } }, tags);
    await publish(ingestSes, body, body);
    return suppressionOf(account);
  };
  for (const day of [1, 2, 3, 4]) expect(await bounceAt(day)).toBeUndefined();
  expect(await bounceAt(5, 'MailboxFull')).toBeUndefined();
  expect(await bounceAt(17)).toBeUndefined();
  for (const day of [18, 19]) expect(await bounceAt(day)).toBeUndefined();
  expect(await bounceAt(20)).toBeUndefined();
  expect(await bounceAt(21)).toMatchObject({ reason: 'Bounce', details: { bounceType: 'Transient' } });
  const { json } = await call(getUser, { key: account.secret.key, path: { userId: 'ada' } });
  expect(json).not.toHaveProperty('transientBouncesAtMs');
});

it('ignores unknown input: other email, unknown logs, another account, malformed events', async () => {
  const stranger = await createTestAccount(app);
  const tags = await accepted(account);
  const unknown = { ...tags, trackingId: '019ac0de-7000-7000-8000-00000000cafe' };
  const foreign = { ...tags, accountId: stranger.account.accountId };
  const bodies = [
    notification(openEvent(), unknown),
    notification(bounceOf('ada@example.com'), foreign),
    notification(sendEvent(), tags),
    toSnsNotification({ eventType: 'Open', mail: {} }),
    'Successfully validated SNS topic for Amazon SES event publishing.',
    '',
    '{}',
    'null',
  ];
  await publish(ingestSes, ...bodies);
  expect(await eventsOf(tags.trackingId)).toEqual([]);
  expect(await eventsOf(unknown.trackingId)).toEqual([]);
  expect(await suppressionOf(account)).toBeUndefined();
});

const NOTE = bounceOf('ada@example.com', 'Transient', 'General');
const UNTOLD = bounceOf('ada@example.com', 'Undetermined', 'Undetermined');

describe.each([
  ['an absence', NOTE],
  ['a note that SES cannot tell', UNTOLD],
])('%s', (_, note) => {
  it.each([
    ['after', [deliveryEvent(), note]],
    ['before', [note, deliveryEvent()]],
  ])('%s the delivery is no failure', async (__, events) => {
    for (let sent = 0; sent < 6; sent++) {
      const tags = await accepted(account);
      for (const event of events) await publish(ingestSes, notification(event, tags));
      const record = await recordOf(account, tags.trackingId);
      expect(record).toMatchObject({
        email_delivered_at: '2026-11-20T10:00:04.133Z',
        email_delivered_internal: expect.stringContaining('bounceType'),
      });
      expect(Object.keys(record).filter((name) => name.startsWith('email_failed'))).toEqual([]);
    }
    expect(await suppressionOf(account)).toBeUndefined();
  });
});

it('starts the count of transient bounces again with a delivery', async () => {
  const bounce = async () => publish(ingestSes, notification(NOTE, await accepted(account)));
  for (let count = 0; count < 4; count++) await bounce();
  await publish(ingestSes, notification(deliveryEvent(), await accepted(account)));
  for (let count = 0; count < 4; count++) await bounce();
  expect(await suppressionOf(account)).toBeUndefined();
});

it.each([
  ['5.1.1', 'PERMANENT_NO_EMAIL_BOUNCE'],
  ['5.7.1', 'TRANSIENT_CONTENT_REJECTED_BOUNCE'],
])('a failure with status %s is one after a delivery too', async (status, code) => {
  const tags = await accepted(account);
  const { bounce, ...event } = NOTE as { bounce: object };
  const bouncedRecipients = [{ emailAddress: 'ada@example.com', status }];
  const failed = { ...event, bounce: { ...bounce, bouncedRecipients } };
  await publish(ingestSes, notification(deliveryEvent(), tags), notification(failed, tags));
  expect(await recordOf(account, tags.trackingId)).toMatchObject({ email_failed_code: code });
});

it('reads what a bounce says of each of its recipients', async () => {
  const tags = await accepted(account, { options: { email: { ccAddresses: ['copy@example.com'] } } });
  const { bounce, ...event } = bounceOf('') as { bounce: object };
  const bouncedRecipients = [
    { emailAddress: 'copy@example.com', status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1 user unknown' },
    { emailAddress: 'ada@example.com', status: '5.7.1', diagnosticCode: 'smtp; 550 5.7.1 blocked' },
  ];
  await publish(ingestSes, notification({ ...event, bounce: { ...bounce, bouncedRecipients } }, tags));
  expect(await recordOf(account, tags.trackingId)).toMatchObject({
    email_failed_code: 'TRANSIENT_CONTENT_REJECTED_BOUNCE',
    email_failed_recipient: 'ada@example.com',
    email_failed_diagnostic_code: 'smtp; 550 5.7.1 blocked',
  });
  expect(await suppressionOf(account)).toBeUndefined();
  const copy = await resolve(suppressions).find(account.account.accountId, 'copy@example.com');
  expect(copy).toMatchObject({ reason: 'Bounce' });
});

it('does not take the delivery of a copy for the delivery', async () => {
  const cc = { options: { email: { ccAddresses: ['copy@example.com'] } } };
  const tags = await accepted(account, cc);
  const copied = { delivery: { timestamp: '2026-11-20T10:00:04.133Z', recipients: ['copy@example.com'] } };
  await publish(ingestSes, notification({ ...deliveryEvent(), ...copied }, tags), notification(NOTE, tags));
  await publish(ingestSes, notification(bounceOf('copy@example.com', 'Transient', 'General'), tags));
  const record = await recordOf(account, tags.trackingId);
  expect(record).toMatchObject({
    email_failed_code: 'TRANSIENT_GENERAL_BOUNCE',
    email_failed_recipient: 'ada@example.com',
    email_delivered_internal: expect.stringContaining('copy@example.com'),
  });
  expect(record).not.toHaveProperty('email_delivered_at');
  expect(record).not.toHaveProperty('email_delivered_recipients');
});

it.each([
  ['Mozilla/5.0', '203.0.113.9'],
  ['Mozilla/5.0 (iPhone)', '17.58.100.2'],
  ['Mozilla/5.0 (iPhone)', '::ffff:17.58.100.2'],
  ['facebookexternalhit/1.1', '203.0.113.9'],
  ['Barracuda Sentinel (EE)', '203.0.113.9'],
  ['python-requests/2.32', '203.0.113.9'],
])('an open and a click of %s from %s are of a machine', async (userAgent, ipAddress) => {
  const tags = await accepted(account);
  const { open, ...opened } = openEvent() as { open: object };
  const { click, ...clicked } = clickEvent() as { click: object };
  const events = [
    { ...opened, open: { ...open, userAgent, ipAddress } },
    { ...clicked, click: { ...click, userAgent, ipAddress } },
  ];
  await publish(ingestSes, ...events.map((event) => notification(event, tags)));
  const record = await recordOf(account, tags.trackingId);
  expect(record).toMatchObject({
    email_opened_machine: true,
    email_opened_machine_at: '2026-11-20T11:00:19.652Z',
    email_clicked_machine: true,
  });
  for (const name of ['email_opened_at', 'email_opened_ip', 'email_clicked_at', 'email_clicked_link'])
    expect(record).not.toHaveProperty(name);
  const calls = (await insertedEvents(app, tags.trackingId)).flatMap(raisedCallsOf);
  expect(calls.map(({ eventType, body }) => [eventType, JSON.parse(body ?? '').machine])).toEqual(
    expect.arrayContaining([
      ['EMAIL_OPEN', true],
      ['EMAIL_CLICK', true],
    ]),
  );
  await publish(ingestSes, notification(openEvent(), tags));
  expect(await recordOf(account, tags.trackingId)).toMatchObject({ email_opened_ip: '198.51.100.7' });
});
