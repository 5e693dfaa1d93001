import { handler as send } from '../../../../functions/sending/send.ts';
import { call, type TestAccount } from '../../../support/app.ts';

/** A notification accepted on email, SMS and call, and the tags that providers send back with its events. */
export async function accepted({ secret, account, environment }: TestAccount, more: object = {}) {
  const body = {
    type: 'welcome',
    to: { id: 'ada', email: 'Ada@example.com', number: '+12025550123' },
    email: { subject: 's', html: 'h' },
    sms: { message: 'Hi' },
    call: { message: 'Hi' },
    ...more,
  };
  const { json } = await call(send, { key: secret.key, body });
  const trackingId: string = json.trackingId;
  return { trackingId, accountId: account.accountId, environmentId: environment.environmentId };
}
