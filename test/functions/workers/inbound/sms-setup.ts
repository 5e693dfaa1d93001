import { beforeAll, beforeEach, expect } from 'vitest';
import { handler as listLogs } from '../../../../functions/logs/list-logs.ts';
import { handler as send } from '../../../../functions/sending/send.ts';
import { handler as deliverSms } from '../../../../functions/workers/delivery/deliver-sms.ts';
import { handler as ingestInboundSms } from '../../../../functions/workers/inbound/ingest-inbound-sms.ts';
import { smsProvider } from '../../../../shared/providers/phone/phone.ts';
import { replace } from '../../../../shared/runtime/dependency.ts';
import { call, type TestAccount } from '../../../support/app.ts';
import { toSnsNotification } from '../../../support/fakes/aws-sms.ts';
import { laterApp } from '../../../support/use-app.ts';
import { use } from '../../../support/use-started.ts';
import { deliver } from '../../../support/workers.ts';

export const OURS = '+15005550006';
export const app = laterApp();
/** The person in the test, each with a separate number. */
export const person = { number: '' };
/** The tracking IDs of the text messages that were sent in the test. */
export const sent: string[] = [];
let numbers = 0;
/** The number, or the name of one, that the provider reports as the sender. */
let chooses: string | undefined;
/** Sets the provider's number for text messages without a `from`. */
export const chooseNumber = (number: string | undefined) => {
  chooses = number;
};

export async function ask({ secret }: TestAccount, from?: string, dryRun = 'false') {
  app.clock.nowMs += 1000;
  const body = {
    type: 'welcome',
    to: { id: 'ada', number: person.number },
    sms: { message: 'Hi', ...(from ? { from } : {}) },
  };
  return (await call(send, { key: secret.key, body, query: { dryRun } })).json;
}

export async function sendText(account: TestAccount, from?: string): Promise<string> {
  const { trackingId } = await ask(account, from);
  expect(await deliver(deliverSms, { trackingId })).toEqual([]);
  return trackingId;
}

/** The SNS notification of a text to our number. */
export function textOf(
  messageBody: string,
  id = `in-${app.clock.nowMs}`,
  atMs = app.clock.nowMs,
  destinationNumber = OURS,
): string {
  const event = { originationNumber: person.number, destinationNumber, messageBody, inboundMessageId: id };
  return toSnsNotification(event, new Date(atMs).toISOString());
}

export async function receive(...bodies: string[]) {
  expect(await deliver(ingestInboundSms, ...bodies)).toEqual([]);
  app.clock.nowMs += 1000;
}

export const listOf = async ({ secret }: TestAccount) =>
  (await call(listLogs, { key: secret.key, query: { eventType: 'sms_inbound' } })).json.messages;

/** Starts this set-up for the tests of a file. */
export function useInboundSms(): void {
  use(app);
  beforeAll(() => {
    replace(smsProvider, () => ({
      name: 'recorder',
      async deliver({ trackingId, from = chooses }) {
        sent.push(trackingId);
        return { kind: 'sent', fields: from ? { sms_sent_from: from } : {} };
      },
    }));
  });
  beforeEach(() => {
    sent.length = 0;
    chooses = OURS;
    numbers += 1;
    person.number = `+1202555${String(1000 + numbers)}`;
  });
}
