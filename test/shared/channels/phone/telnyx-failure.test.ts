import { describe, expect, it } from 'vitest';
import { callDelivery, findClosedPort, smsDelivery } from './deliveries.ts';
import { fakeTelnyx, impatient } from './telnyx-setup.ts';

describe('a rejection by Telnyx', () => {
  it.each([
    ['40001', '40001'],
    ['40002', '40002'],
    ['40010', '40010'],
    ['40300', '40300'],
    ['10002', 'INVALID_PHONE_NUMBER'],
    ['10016', 'INVALID_PHONE_NUMBER'],
    ['40310', 'INVALID_PHONE_NUMBER'],
    ['40012', '21211'],
    ['40003', '40002'],
    ['40015', '30007'],
    ['40017', '30007'],
    ['40004', '30008'],
    ['40005', '30008'],
    ['40008', '30008'],
    ['40014', '30008'],
    ['40006', '30006'],
    ['40013', '21612'],
    ['10009', 'Unknown'],
    ['99999', 'Unknown'],
  ])('%s is %s, with its own code recorded', async (code, expected) => {
    const { fake, sms, call } = await fakeTelnyx();
    const status = code === '40300' ? 409 : 400;
    fake.fail({ status, code, detail: 'why' }, { status, code, detail: 'why' });
    const internal = `${code} Error ${code}: why (HTTP ${status})`;
    // Another number may well reach the person.
    const notAccepted = ['21612', '40010'].includes(expected) ? { notAccepted: 'sender' } : {};
    const rejected = { kind: 'rejected', code: expected, ...notAccepted, internal };
    expect(await sms().deliver(smsDelivery())).toEqual(rejected);
    expect(await call().deliver(callDelivery())).toEqual(rejected);
  });

  it.each([
    [{ status: 400, code: '40011' }, '40002'],
    [{ status: 400, code: '40016' }, '40002'],
    [{ status: 400, code: '40018' }, '40002'],
    [{ status: 400, code: '10007' }, 'Unknown'],
    [{ status: 429, code: '10011' }, 'Unknown'],
    [{ status: 429 }, 'Unknown'],
    [{ status: 500, code: '10007' }, 'Unknown'],
    [{ status: 503 }, 'Unknown'],
  ])('%j is retried, and recorded as %s in the end', async (error, code) => {
    const { fake, sms, call } = await fakeTelnyx();
    fake.fail(error, { ...error, retryAfter: '30' });
    const first = await sms().deliver(smsDelivery());
    expect(first).toMatchObject({ kind: 'retry', code });
    expect(first).not.toHaveProperty('afterSeconds');
    expect(await call().deliver(callDelivery())).toMatchObject({ kind: 'retry', code, afterSeconds: 30 });
  });

  it('ends the delivery when it concerns the credentials', async () => {
    const { sms } = await fakeTelnyx();
    expect(await sms({ apiKey: 'wrong' }).deliver(smsDelivery())).toMatchObject({
      kind: 'rejected',
      code: 'Unknown',
      internal: expect.stringContaining('10009'),
    });
  });

  it('follows its status when the body is unreadable', async () => {
    const { fake, sms, call } = await fakeTelnyx();
    fake.next({ status: 404, body: '<html>' }, { status: 200, body: '<html>' }, { status: 200, body: {} });
    expect(await sms().deliver(smsDelivery())).toMatchObject({ kind: 'rejected', internal: 'HTTP 404' });
    expect(await sms().deliver(smsDelivery())).toMatchObject({ kind: 'retry', code: 'Unknown' });
    expect(await call().deliver(callDelivery())).toMatchObject({ kind: 'retry', code: 'Unknown' });
  });
});

describe('without a response from Telnyx', () => {
  it('timeouts, broken connections and closed ports are retried', async () => {
    const { fake, sms, call } = await fakeTelnyx();
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
