import { beforeAll, expect, it } from 'vitest';
import { APN_CONFIG } from '../support/fakes/apns.ts';
import { startLocalRun } from '../support/local-run.ts';
import { until } from '../support/until.ts';
import { useStarted } from '../support/use-started.ts';
import { ask, expectNothingDead, recordWith } from './ask.ts';
import { expectSurvival, reachable, SENDER } from './everywhere.ts';
import { OUR_NUMBER, startProviderWorld } from './provider-world.ts';

const TO = '+14155552672';
let aheadMs = 0;
const world = useStarted(() => startProviderWorld(() => Date.now() + aheadMs));
const run = useStarted(() => startLocalRun({ settings: world.sesAndAws }));
beforeAll(async () => {
  await ask(run, '/settings/push/fcm', { fcmConfig: world.fcm.serviceAccount }, 'PUT');
  await ask(run, '/settings/push/apn', APN_CONFIG, 'PUT');
  await ask(run, '/domains', { sender: SENDER });
  const { now } = await ask(run, '/_sandbox/clock', { advance: 'PT1H' });
  aheadMs = Date.parse(now) - Date.now();
});

const inputsOf = (operation: string, text: string) =>
  world.awsSms
    .inputs()
    .filter((each) => each.operation === operation && String(each.input.MessageBody).includes(text))
    .map(({ input }) => input);

/** A final event about what was asked for with `input`, as it comes to the deployment's queue. */
async function report(input: Record<string, unknown> | undefined, eventType: string): Promise<void> {
  await ask(run, '/_sandbox/events/sms-voice', {
    eventType,
    eventTimestamp: Date.now() + aheadMs,
    isFinal: true,
    messageId: `${input?.MessageBody} ${eventType}`,
    context: input?.Context,
    originationPhoneNumber: OUR_NUMBER,
    destinationPhoneNumber: TO,
    isoCountryCode: 'US',
    messageEncoding: 'GSM',
    totalMessageParts: 1,
    totalMessagePrice: 0.005,
    totalCarrierFee: 0.003,
  });
}

it('delivers text messages and calls over AWS End User Messaging and records its events in log and usage', async () => {
  const { trackingId } = await ask(run, '/send', {
    type: 'alarm',
    to: { id: 'ada', number: TO },
    sms: { message: 'Smoke!' },
    call: { message: 'Smoke <here> & now' },
  });
  await recordWith(run, trackingId, ['sms_sent_at', 'call_sent_at']);
  const [text] = inputsOf('SendTextMessage', 'Smoke!');
  const [call] = inputsOf('SendVoiceMessage', 'Smoke <here> & now');
  const common = {
    DestinationPhoneNumber: TO,
    OriginationIdentity: OUR_NUMBER,
    ConfigurationSetName: 'phone-events',
    Context: { trackingId, accountId: run.accountId, envId: run.environmentId },
  };
  expect(text).toMatchObject({ ...common, MessageType: 'TRANSACTIONAL' });
  expect(call).toMatchObject({ ...common, MessageBodyTextType: 'TEXT' });
  await report(text, 'TEXT_DELIVERED');
  await report(call, 'VOICE_NO_ANSWER');
  const fields = ['sms_delivered_at', 'call_delivered_at'];
  expect(await recordWith(run, trackingId, fields)).toMatchObject({
    sms_sent_from: OUR_NUMBER,
    sms_sent_encoding: 'GSM-7',
    sms_sent_parts: 1,
    sms_sent_country: 'US',
    sms_sent_cost: 0.008,
    sms_rate_internal: 0.005,
    sms_carrier_fee_internal: 0.003,
    sms_delivered_cost_internal: 0.008,
    call_sent_from: OUR_NUMBER,
    call_delivered_code: 'NO_ANSWER',
    call_delivered_cost: 0.008,
  });
  await expect.poll(async () => (await ask(run, '/organization/usage')).costUsd).toBe(0.016);
});

it('copies media to the bucket that AWS reads them from', async () => {
  const { trackingId } = await ask(run, '/send', {
    type: 'picture',
    to: { id: 'eve', number: '+14155552674' },
    sms: { message: 'Look', mediaUrls: [`${world.files.url}/order.pdf`] },
  });
  const record = await recordWith(run, trackingId, ['sms_sent_at']);
  expect(record).toMatchObject({ sms_sent_mms: true, sms_sent_parts: 1 });
  const [copy] = world.bucket.requests;
  expect(copy).toMatchObject({ method: 'PUT', headers: { 'content-type': 'application/pdf' } });
  expect(copy?.body).toContain('%PDF-1.7');
  const [input] = inputsOf('SendMediaMessage', 'Look');
  expect(input?.MediaUrls).toEqual([`s3:/${copy?.path}`]);
});

it('stops sending to a number that replied STOP, logs the reason and informs AWS', async () => {
  const to = { id: 'bob', number: '+14155552673' };
  const send = () => ask(run, '/send', { type: 'news', to, sms: { message: 'Hello' } });
  const { trackingId } = await send();
  await recordWith(run, trackingId, ['sms_sent_at']);
  await ask(run, '/_sandbox/events/two-way-sms', {
    originationNumber: to.number,
    destinationNumber: OUR_NUMBER,
    messageBody: 'Stop.',
    inboundMessageId: 'stop-1',
  });
  const fields = ['sms_unsubscribe_at', 'sms_replied_at'];
  expect(await recordWith(run, trackingId, fields)).toMatchObject({ sms_unsubscribe_keyword: 'STOP' });
  const listed = () => world.awsSms.inputs().find(({ operation }) => operation === 'PutOptedOutNumber');
  await until(() => listed() !== undefined, 'the opt-out list');
  expect(listed()?.input).toMatchObject({ OptOutListName: 'stopped', OptedOutNumber: to.number });
  const again = await send();
  expect(again.messages).toEqual(['SMS is not sent: the user opted out of text messages.']);
  expect(await recordWith(run, again.trackingId, ['sms_failed_at'])).toMatchObject({
    sms_failed_code: '21610',
  });
  const sent = inputsOf('SendTextMessage', 'Hello').filter(
    (input) => input.DestinationPhoneNumber === to.number,
  );
  expect(sent).toHaveLength(1);
  await expectNothingDead(run);
});

it('loses nothing when every provider is killed during a send and restarted', async () => {
  const user = await reachable(world, run);
  const outages = [world.ses.outage, world.awsSms.outage];
  await expectSurvival(world, run, user, { text: 'seventh-order', outages });
  expect(inputsOf('SendTextMessage', 'seventh-order')).toHaveLength(1);
  expect(inputsOf('SendVoiceMessage', 'seventh-order')).toHaveLength(1);
});
