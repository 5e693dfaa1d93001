import { beforeAll, describe, expect, it } from 'vitest';
import { handler as deliverEmail } from '../../../../functions/workers/delivery/deliver-email.ts';
import { handler as deliverSms } from '../../../../functions/workers/delivery/deliver-sms.ts';
import { orderProblem } from '../../../../shared/providers/order/provider-order.ts';
import { recordOf } from '../../../support/workers.ts';
import { accepted, account, receive, useDelivering } from './deliver-setup.ts';

useDelivering();
beforeAll(() => {
  Object.assign(process.env, { EMAIL_PROVIDER: 'sandbox:a,sandbox:b', SMS_PROVIDER: 'sandbox:a,sandbox:b' });
});

const content = { email: { subject: 'Hi', html: 'Hi' }, sms: { message: 'Hi' } };

async function sent(prefix: 'email' | 'sms', to: object) {
  const type = `order-${prefix}`;
  const id = await accepted({ type, to: { id: 'ada', ...to }, [prefix]: content[prefix] });
  await receive(prefix === 'email' ? deliverEmail : deliverSms, 1, id);
  const record: Record<string, string | undefined> = await recordOf(account, id);
  const attempts: { provider: string }[] = JSON.parse(record[`${prefix}_attempts`] ?? '[]');
  return [record[`${prefix}_sent_provider`], attempts.map(({ provider }) => provider)];
}

describe('an order of sandboxes', () => {
  it.each([
    ['timeout.a@sandbox.test', undefined, []],
    ['ada@example.com', 'sandbox:a', []],
    ['unavailable.b@sandbox.test', 'sandbox:a', []],
    ['unavailable.a@sandbox.test', 'sandbox:b', ['sandbox:a']],
    ['unreachable.a+tag@sandbox.test', 'sandbox:b', ['sandbox:a']],
    ['unavailable@sandbox.test', undefined, []],
  ])('sends an email to %s through %s', async (email, provider, attempts) => {
    expect(await sent('email', { email })).toEqual([provider, attempts]);
  });

  it.each([
    ['+12025550123', 'sandbox:a', []],
    ['+15005560503', 'sandbox:b', ['sandbox:a']],
    ['+15005570503', 'sandbox:a', []],
    ['+15005560401', 'sandbox:b', ['sandbox:a']],
  ])('sends a text message to %s through %s', async (number, provider, attempts) => {
    expect(await sent('sms', { number })).toEqual([provider, attempts]);
  });

  it.each([
    [['sandbox:a', 'sandbox:b'], undefined],
    [['sandbox', 'sandbox:b'], undefined],
    [['sandbox:a'], undefined],
    [['sandbox:a', 'ses'], /sandbox among others/],
    [['smtp', 'sandbox'], /sandbox among others/],
    [['sandbox:a', 'sandbox:a'], /twice/],
  ])('has for %j the problem %s', (texts, problem) => {
    const found = orderProblem('EMAIL', texts);
    if (problem) expect(found).toMatch(problem);
    else expect(found).toBeUndefined();
  });
});
