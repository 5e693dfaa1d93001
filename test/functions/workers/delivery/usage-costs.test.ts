import { describe, expect, it } from 'vitest';
import { handler as getUsage } from '../../../../functions/organization/get-usage.ts';
import { handler as send } from '../../../../functions/sending/send.ts';
import { handler as ingestPhone } from '../../../../functions/workers/receipts/ingest-phone.ts';
import { parseTelnyxCallback } from '../../../../shared/channels/phone/telnyx/telnyx-callback.ts';
import { callProvider, smsProvider } from '../../../../shared/providers/phone/phone.ts';
import {
  ingestPhoneReceipt,
  type PhoneReceiptDependencies,
  phoneReceiptDependencies,
} from '../../../../shared/receipts/phone-receipts.ts';
import { replace, resolveAll } from '../../../../shared/runtime/dependency.ts';
import type { LogFields } from '../../../../shared/schemas/logs/log-record.ts';
import { call, createTestAccount, type TestAccount } from '../../../support/app.ts';
import { toSnsNotification } from '../../../support/fakes/aws-sms.ts';
import { buildTelnyxEvent, buildTelnyxMessage } from '../../../support/fakes/telnyx.ts';
import { usePipeline } from '../../../support/pipeline.ts';
import { publish } from '../../../support/workers.ts';

const pipeline = usePipeline();
let account: TestAccount;

/** The tags of a send, which its receipt carries. */
type Tags = { trackingId: string; accountId: string; environmentId: string };

/** Sends a text and a call, whose provider responds with `fields`. */
async function sendBoth(fields: LogFields): Promise<Tags> {
  account = await createTestAccount(pipeline);
  replace(smsProvider, () => ({ name: 'x', deliver: async () => ({ kind: 'sent', fields }) }));
  replace(callProvider, () => ({ name: 'x', deliver: async () => ({ kind: 'sent', fields: {} }) }));
  const to = { id: 'ada', number: '+12025550123' };
  const body = { type: 'code', to, sms: { message: 'Hi' }, call: { message: 'Hi' } };
  const { json } = await call(send, { key: account.secret.key, body });
  await pipeline.settle();
  const { accountId } = account.account;
  return { trackingId: json.trackingId, accountId, environmentId: account.environment.environmentId };
}

/** The stream delivers an event some time after it was stored. */
const expectUsage = () => expect.poll(usageOf);

async function usageOf() {
  await pipeline.settle();
  const { counts, costUsd } = (await call(getUsage, { key: account.secret.key })).json;
  return { SMS: counts.SMS, CALL: counts.CALL, costUsd };
}

function awsEvent({ environmentId: envId, ...tags }: Tags, eventType: string, messageId: string) {
  return toSnsNotification({
    eventType,
    eventTimestamp: pipeline.clock.nowMs,
    isFinal: true,
    messageId,
    context: { ...tags, envId },
    totalMessagePrice: 0.005,
    totalCarrierFee: 0.003,
  });
}

async function receiveFromTelnyx(tags: Tags, type: string, payload: object): Promise<void> {
  const nowMs = pipeline.clock.nowMs;
  const receipt = parseTelnyxCallback({ rawBody: buildTelnyxEvent(type, payload), tags, nowMs });
  await ingestPhoneReceipt(resolveAll<PhoneReceiptDependencies>(phoneReceiptDependencies), receipt, nowMs);
}

describe('usage', () => {
  it('counts the costs in AWS receipts once, however often they arrive', async () => {
    const tags = await sendBoth({ sms_sent_messageId: 'm1' });
    await expectUsage().toEqual({ SMS: 1, CALL: 1, costUsd: 0 });
    const events = [awsEvent(tags, 'TEXT_DELIVERED', 'm1'), awsEvent(tags, 'VOICE_COMPLETED', 'c1')];
    await publish(ingestPhone, ...events, ...events);
    await expectUsage().toEqual({ SMS: 1, CALL: 1, costUsd: 0.016 });
  });

  it('counts each message of a media message with several files', async () => {
    const tags = await sendBoth({ sms_sent_messageId: 'm1' });
    await publish(
      ingestPhone,
      awsEvent(tags, 'MEDIA_DELIVERED', 'm1'),
      awsEvent(tags, 'MEDIA_CARRIER_UNREACHABLE', 'm2'),
    );
    await expectUsage().toMatchObject({ costUsd: 0.016 });
  });

  it('counts a cost once when the response and duplicate receipts contain it', async () => {
    const tags = await sendBoth({ sms_sent_messageId: 'm1', sms_sent_cost: 0.0051 });
    await expectUsage().toMatchObject({ costUsd: 0.0051 });
    const to = [{ status: 'delivered' }];
    await receiveFromTelnyx(tags, 'message.sent', buildTelnyxMessage({ id: 'm1' }));
    await receiveFromTelnyx(tags, 'message.finalized', buildTelnyxMessage({ id: 'm1', to }));
    await expectUsage().toMatchObject({ costUsd: 0.0051 });
  });

  it('counts the cost of a call that arrives as a separate event', async () => {
    const tags = await sendBoth({});
    await receiveFromTelnyx(tags, 'call.cost', { call_control_id: 'c1', total_cost: '0.014' });
    await receiveFromTelnyx(tags, 'call.cost', { call_control_id: 'c1', total_cost: '0.014' });
    await expectUsage().toEqual({ SMS: 1, CALL: 1, costUsd: 0.014 });
  });
});
