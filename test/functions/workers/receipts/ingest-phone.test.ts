import { expect, it } from 'vitest';
import { handler as ingestPhone } from '../../../../functions/workers/receipts/ingest-phone.ts';
import { logPk } from '../../../../shared/database/keys/key.ts';
import { createTestAccount } from '../../../support/app.ts';
import { toSnsNotification } from '../../../support/fakes/aws-sms.ts';
import { useAccount, useApp } from '../../../support/use-app.ts';
import { publish, recordOf } from '../../../support/workers.ts';
import { accepted } from './accepted.ts';

const app = useApp();
const account = useAccount(app, 'test');

type Tags = Awaited<ReturnType<typeof accepted>>;

function notification({ trackingId, accountId, environmentId }: Tags, overrides: object): string {
  return toSnsNotification({
    eventType: 'TEXT_DELIVERED',
    eventTimestamp: app.clock.nowMs,
    isFinal: true,
    originationPhoneNumber: '+18445550123',
    destinationPhoneNumber: '+12025550123',
    isoCountryCode: 'US',
    carrierName: 'T-mobile USA Inc.',
    messageId: '9539975a-e71f-45f3-b496-8d98dc098a77',
    messageEncoding: 'GSM',
    messageStatusDescription: 'Message has been accepted by phone',
    context: { trackingId, accountId, envId: environmentId },
    totalMessageParts: 1,
    totalMessagePrice: 0.005,
    totalCarrierFee: 0.003,
    ...overrides,
  });
}

const eventsOf = async (trackingId: string) =>
  (await app.database.queryAll(logPk(trackingId), 'EVENT#')).map((item) => item.sk);

it('records the outcome of a text message and of a call once', async () => {
  const tags = await accepted(account);
  const bodies = [
    notification(tags, {}),
    notification(tags, { eventType: 'VOICE_BUSY', messageId: 'call-1' }),
    notification(tags, {}),
  ];
  await publish(ingestPhone, ...bodies);
  expect(await recordOf(account, tags.trackingId)).toMatchObject({
    sms_delivered_at: new Date(app.clock.nowMs).toISOString(),
    sms_sent_carrier: 'T-mobile USA Inc.',
    call_delivered_code: 'BUSY',
  });
  expect(await eventsOf(tags.trackingId)).toEqual([
    'EVENT#call#cost',
    'EVENT#call#delivered',
    'EVENT#sms#cost#9539975a-e71f-45f3-b496-8d98dc098a77',
    'EVENT#sms#delivered',
  ]);
});

it('records a failure with its code', async () => {
  const tags = await accepted(account);
  await publish(ingestPhone, notification(tags, { eventType: 'TEXT_CARRIER_UNREACHABLE' }));
  expect(await recordOf(account, tags.trackingId)).toMatchObject({ sms_failed_code: '30006' });
});

it('ignores events that are not final, unknown, of another account or malformed', async () => {
  const stranger = await createTestAccount(app);
  const tags = await accepted(account);
  const bodies = [
    notification(tags, { isFinal: false }),
    notification({ ...tags, accountId: stranger.account.accountId }, {}),
    notification({ ...tags, trackingId: 'unknown' }, {}),
    notification(tags, { context: {} }),
    '{}',
    'no JSON',
  ];
  await publish(ingestPhone, ...bodies);
  expect(await eventsOf(tags.trackingId)).toEqual([]);
});
