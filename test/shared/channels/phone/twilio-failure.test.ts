import { describe, expect, it } from 'vitest';
import { callDelivery, findClosedPort, smsDelivery } from './deliveries.ts';
import { fakeTwilio, impatient } from './twilio-setup.ts';

const REJECTED: [number, string][] = [
  ...[13224, 21211, 21215, 21265, 21610, 21612, 21614, 30005, 30006, 30007, 30008, 30453].map(
    (code): [number, string] => [code, String(code)],
  ),
  [21217, '21211'],
  [21401, '21211'],
  [21266, '21211'],
  [13223, '13224'],
  [21212, '21612'],
  [21603, '21612'],
  [21606, '21612'],
  [21659, '21612'],
  [21660, '21612'],
  [21408, '21215'],
  [13227, '21215'],
  [32205, '21215'],
  [21268, '21614'],
  [21602, 'MISSING_SMS_MESSAGE'],
  [21619, 'MISSING_SMS_MESSAGE'],
  [21604, 'MISSING_SMS_RECIPIENT'],
  [30003, '30005'],
  [30004, '30007'],
  [30032, '40010'],
  [30034, '40010'],
  [30450, '30453'],
  [20003, 'Unknown'],
  [21703, 'Unknown'],
  [21704, 'Unknown'],
  [20404, 'Unknown'],
  [99999, 'Unknown'],
];

describe('a rejection by Twilio', () => {
  it.each(REJECTED)('%s is %s, with its own code recorded', async (code, expected) => {
    const { fake, sms, call } = await fakeTwilio();
    fake.fail({ status: 400, code, message: 'why' }, { status: 400, code, message: 'why' });
    // Another number, or another account, may well reach the person.
    const isOfSender = ['21612', '40010', '21215'].includes(expected) || [21703, 21704].includes(code);
    const proves = isOfSender ? 'sender' : code === 20003 ? 'account' : undefined;
    const notAccepted = proves ? { notAccepted: proves } : {};
    const rejected = { kind: 'rejected', code: expected, ...notAccepted, internal: `${code} why (HTTP 400)` };
    expect(await sms().deliver(smsDelivery())).toEqual(rejected);
    expect(await call().deliver(callDelivery())).toEqual(rejected);
  });

  it.each([
    [{ status: 429, code: 20429 }],
    [{ status: 400, code: 20429 }],
    [{ status: 400, code: 30001 }],
    [{ status: 400, code: 21611 }],
    [{ status: 400, code: 14107 }],
    [{ status: 429 }],
    [{ status: 408 }],
    [{ status: 500, code: 20500 }],
    [{ status: 502 }],
    [{ status: 503 }],
  ])('%j is retried', async (error) => {
    const { fake, sms, call } = await fakeTwilio();
    fake.fail(error, { ...error, retryAfter: '30' });
    const first = await sms().deliver(smsDelivery());
    expect(first).toMatchObject({ kind: 'retry', code: 'Unknown' });
    expect(first).not.toHaveProperty('afterSeconds');
    expect(await call().deliver(callDelivery())).toMatchObject({ kind: 'retry', afterSeconds: 30 });
  });

  it('leads to a retry after the date that Twilio names', async () => {
    const { fake, sms } = await fakeTwilio();
    fake.fail({ status: 429, code: 20429, retryAfter: 'Fri, 20 Nov 2026 10:01:00 GMT' });
    expect(await sms().deliver(smsDelivery())).toMatchObject({ kind: 'retry', afterSeconds: 60 });
  });

  it('ends the delivery when it concerns the credentials', async () => {
    const { sms } = await fakeTwilio();
    const outcome = await sms({ authToken: 'wrong' }).deliver(smsDelivery());
    expect(outcome).toEqual({
      kind: 'rejected',
      code: 'Unknown',
      internal: '20003 Authenticate (HTTP 401)',
      notAccepted: 'account',
    });
  });

  it('follows its status when the body is unreadable', async () => {
    const { fake, sms } = await fakeTwilio();
    fake.next({ status: 404, body: '<html>' }, { status: 302, body: '' }, { status: 200, body: '<html>' });
    expect(await sms().deliver(smsDelivery())).toEqual({
      kind: 'rejected',
      code: 'Unknown',
      internal: 'HTTP 404',
    });
    expect(await sms().deliver(smsDelivery())).toMatchObject({ kind: 'rejected', internal: 'HTTP 302' });
    expect(await sms().deliver(smsDelivery())).toMatchObject({ kind: 'retry', code: 'Unknown' });
  });
});

describe('without a response from Twilio', () => {
  it('timeouts, broken connections and closed ports are retried', async () => {
    const { fake, sms, call } = await fakeTwilio();
    fake.next('silence', 'broken connection');
    const baseUrl = `http://127.0.0.1:${await findClosedPort()}`;
    const retry = { kind: 'retry', code: 'Unknown' };
    const outcome = await sms({ http: impatient }).deliver(smsDelivery());
    expect(outcome).toEqual({ ...retry, internal: 'timeout' });
    expect(await call().deliver(callDelivery())).toMatchObject(retry);
    expect(await sms({ baseUrl }).deliver(smsDelivery())).toEqual({
      ...retry,
      internal: 'unreachable ECONNREFUSED',
      notAccepted: 'unreachable',
    });
  });
});
