import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { handler as getLogs } from '../../../../functions/logs/get-logs.ts';
import { handler as send } from '../../../../functions/sending/send.ts';
import { call, type TestAccount } from '../../../support/app.ts';

/** A notification that was accepted on e-mail, text message and call, and the tags that providers send back of it. */
export async function accepted({ secret, account, environment }: TestAccount) {
  const body = {
    type: 'welcome',
    to: { id: 'ada', email: 'Ada@example.com', number: '+12025550123' },
    email: { subject: 's', html: 'h' },
    sms: { message: 'Hi' },
    call: { message: 'Hi' },
  };
  const { json } = await call(send, { key: secret.key, body });
  const trackingId: string = json.trackingId;
  return { trackingId, accountId: account.accountId, environmentId: environment.environmentId };
}

/** The log record, as the API answers it. */
export async function recordOf({ secret }: TestAccount, trackingId: string) {
  const { json } = await call(getLogs, { key: secret.key, path: { trackingIds: trackingId } });
  return json.logs[0];
}

/** Gives texts to a queue worker as one batch. */
export function deliverTexts(
  handler: (event: SQSEvent) => Promise<SQSBatchResponse>,
  ...bodies: string[]
): Promise<SQSBatchResponse> {
  const Records = bodies.map((body, index) => ({ messageId: String(index), body }));
  return handler({ Records } as unknown as SQSEvent);
}
