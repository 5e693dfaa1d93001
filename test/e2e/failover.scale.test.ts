import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { chunksOf } from '../../shared/runtime/async/chunks.ts';
import type { Outage } from '../support/fakes/outage.ts';
import { type FakeTwilio, startFakeTwilio } from '../support/fakes/twilio.ts';
import { startLocalRun } from '../support/local-run.ts';
import { until } from '../support/until.ts';
import { useStarted } from '../support/use-started.ts';
import { ask, expectNothingDead, recordOf } from './ask.ts';
import { startMailServer } from './provider-world.ts';

type MailServer = Awaited<ReturnType<typeof startMailServer>>;

const twoOf = <T extends object>(start: () => Promise<T>) => ({
  first: useStarted(start),
  second: useStarted(start),
});

const mail = twoOf(startMailServer);
const phone = twoOf(startFakeTwilio);
const run = useStarted(() =>
  startLocalRun({
    settings: {
      EMAIL_PROVIDER: 'smtp,smtp:backup',
      SMTP_URL: `${mail.first.url}?tls=off`,
      SMTP_URL_BACKUP: `${mail.second.url}?tls=off`,
      SMS_PROVIDER: 'twilio,twilio:backup',
      CALL_PROVIDER: 'twilio,twilio:backup',
      ...twilioSettings(phone.first, ''),
      ...twilioSettings(phone.second, '_BACKUP'),
      EMAIL_PER_SECOND: '1000',
      SMS_PER_SECOND: '1000',
      CALL_PER_SECOND: '1000',
      // A thousand texts and calls of a new account would stop its sending.
      DAY_COST_FLOOR_USD: '100000',
    },
  }),
);

function twilioSettings({ url, accountSid, authToken }: FakeTwilio, suffix: string): Record<string, string> {
  return {
    [`TWILIO_BASE_URL${suffix}`]: url,
    [`TWILIO_ACCOUNT_SID${suffix}`]: accountSid,
    [`TWILIO_AUTH_TOKEN${suffix}`]: authToken,
    [`TWILIO_FROM${suffix}`]: '+12025550100',
  };
}

type Sent = { trackingId: string; user: string; email: string; number: string };

const CHANNELS = ['email', 'sms', 'call'] as const;

let users = 0;
/** Sends to new users on all three channels, 100 a request. */
async function send(count: number): Promise<Sent[]> {
  const sent: Sent[] = [];
  while (sent.length < count) {
    const batch = Array.from({ length: Math.min(100, count - sent.length) }, () => {
      users += 1;
      const user = `user-${users}`;
      const number = `+1415555${String(1000 + users).padStart(4, '0')}`;
      return { user, email: `${user}@example.com`, number };
    });
    const notifications = batch.map(({ user, email, number }) => ({
      type: 'failover',
      to: { id: user, email, number },
      email: { subject: user, html: `<p>${user}</p>` },
      sms: { message: user },
      call: { message: user },
    }));
    const results = await accept(notifications);
    for (const [index, each] of batch.entries())
      sent.push({ ...each, trackingId: results[index]?.trackingId ?? '' });
  }
  return sent;
}

/** Sends a bulk request. The gateway throttles requests that come too close together, before reading anything. */
async function accept(notifications: readonly unknown[]): Promise<{ trackingId: string }[]> {
  let answered: { results: { trackingId: string }[] } | undefined;
  const isTaken = async () => {
    const { status, json } = await run.request('/send/bulk', { notifications });
    if (status !== 429) expect([status, json.error]).toEqual([200, undefined]);
    answered = status === 200 ? json : undefined;
    return answered !== undefined;
  };
  await until(isTaken, 'a bulk request');
  return answered?.results ?? [];
}

const mailed = ({ emails, interrupted }: MailServer, { email }: Sent) =>
  [...emails.map(({ to }) => to), ...interrupted].filter((to) => to.includes(email)).length;
const phoned = (server: FakeTwilio, { number }: Sent, resource: 'Messages' | 'Calls') =>
  server.requests.filter(
    ({ path, body }) => path.endsWith(`/${resource}.json`) && new URLSearchParams(body).get('To') === number,
  ).length;

/** Moves the service's clock on until every message has its sent stage, so that waiting retries run. */
async function allSent(sent: readonly Sent[], advance = 'PT1M'): Promise<void> {
  const open = new Set(sent.map(({ trackingId }) => trackingId));
  const isDone = async () => {
    for (const batch of chunksOf([...open], 25)) {
      const { logs } = await ask(run, `/logs/${batch.join(',')}`);
      for (const log of logs) {
        if (CHANNELS.every((channel) => log[`${channel}_sent_at`])) open.delete(log.trackingId);
      }
    }
    if (open.size > 0) await ask(run, '/_sandbox/clock', { advance });
    return open.size === 0;
  };
  await until(isDone, 'every message').catch(async (error: Error) => {
    const [trackingId = ''] = open;
    throw new Error(
      `${error.message} ${open.size} are open: ${JSON.stringify(await recordOf(run, trackingId))}`,
    );
  });
}

/** Closes the provider's port, as if its process had died. */
async function takeDown(outage: Outage, url: string): Promise<void> {
  outage.dieAtNextCall();
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).on('error', () => {});
  await until(async () => outage.isDown(), 'the outage');
  socket.destroy();
}

describe('two providers each for email, text messages and calls', () => {
  it('send everything through the second while the first is down, shown in log and status', async () => {
    await takeDown(mail.first.outage, mail.first.url);
    await takeDown(phone.first.outage, phone.first.url);
    const sent = await send(20);
    await allSent(sent, 'PT1S');
    for (const each of sent) {
      expect(mailed(mail.second, each)).toBe(1);
      expect(phoned(phone.second, each, 'Messages')).toBe(1);
      expect(phoned(phone.second, each, 'Calls')).toBe(1);
    }
    const records = await Promise.all(sent.map(({ trackingId }) => recordOf(run, trackingId)));
    for (const record of records) {
      expect(record).toMatchObject({
        email_sent_provider: 'smtp:backup',
        sms_sent_provider: 'twilio:backup',
        call_sent_provider: 'twilio:backup',
      });
    }
    // Once the breaker is open, the first is not even tried.
    const tried = records
      .flatMap(({ email_attempts }) => JSON.parse(email_attempts ?? '[]'))
      .filter(({ provider }) => provider === 'smtp');
    expect(tried.length).toBeGreaterThanOrEqual(3);
    for (const attempt of tried) expect(attempt.reason).toBe('unreachable');
    const { channels } = await ask(run, '/status/providers');
    for (const { order } of channels) {
      expect(order[0].state).not.toBe('closed');
      expect(order[0].lastFailure.reason).toBe('unreachable');
      expect(order[1].state).toBe('closed');
    }
  });

  it('send everything through the first again once it has recovered', async () => {
    await mail.first.outage.comeBack();
    await phone.first.outage.comeBack();
    await ask(run, '/_sandbox/clock', { advance: 'PT31S' });
    await allSent(await send(5));
    const sent = await send(5);
    await allSent(sent);
    for (const each of sent) {
      expect(mailed(mail.first, each)).toBe(1);
      expect(phoned(phone.first, each, 'Messages')).toBe(1);
    }
    const { channels } = await ask(run, '/status/providers');
    for (const { order } of channels) expect(order[0].state).toBe('closed');
  });

  it('lose none of 500 and send none through both when the first fails and recovers in between', async () => {
    const before = mail.second.emails.length;
    const sent = await send(250);
    // What is on its way is cut off, and the second half meets closed ports, however fast the first half went.
    await takeDown(mail.first.outage, mail.first.url);
    await takeDown(phone.first.outage, phone.first.url);
    sent.push(...(await send(250)));
    await until(async () => mail.second.emails.length > before + 100, 'the second to take over');
    await mail.first.outage.comeBack();
    await phone.first.outage.comeBack();
    await allSent(sent);
    const counts = { lost: 0, twice: 0 };
    for (const each of sent) {
      const given = [
        [mailed(mail.first, each), mailed(mail.second, each)],
        [phoned(phone.first, each, 'Messages'), phoned(phone.second, each, 'Messages')],
        [phoned(phone.first, each, 'Calls'), phoned(phone.second, each, 'Calls')],
      ];
      for (const [first = 0, second = 0] of given) {
        if (first + second === 0) counts.lost += 1;
        if (first > 0 && second > 0) counts.twice += 1;
      }
    }
    expect(counts).toEqual({ lost: 0, twice: 0 });
    await expectNothingDead(run);
  });

  it.each([
    [{ status: 503 }, { at: 'greeting', code: 554, text: 'No service' }, 'unavailable'],
    [{ status: 429, retryAfter: '120' }, { at: 'MAIL FROM', code: 454, text: 'Quota exceeded' }, 'busy'],
    [{ status: 401, code: 20003 }, { at: 'MAIL FROM', code: 530, text: 'Log in first' }, 'account'],
  ] as const)(
    'send an email, a text and a call through the second immediately when the first rejects them with %j or %j',
    async (error, fault, reason) => {
      await ask(run, '/_sandbox/clock', { advance: 'PT31S' });
      await allSent(await send(2));
      phone.first.failOfEach(error);
      mail.first.failNext(fault);
      const sent = await send(1);
      await allSent(sent, 'PT1S');
      const record = await recordOf(run, sent[0]?.trackingId ?? '');
      const first = { email: 'smtp', sms: 'twilio', call: 'twilio' };
      for (const channel of CHANNELS) {
        expect(record[`${channel}_sent_provider`]).toBe(`${first[channel]}:backup`);
        expect(JSON.parse(record[`${channel}_attempts`])).toMatchObject([
          { provider: first[channel], reason },
        ]);
      }
      for (const each of sent) {
        expect([mailed(mail.first, each), mailed(mail.second, each)]).toEqual([0, 1]);
        expect([phoned(phone.second, each, 'Messages'), phoned(phone.second, each, 'Calls')]).toEqual([1, 1]);
      }
    },
  );

  it('do not send through the second when the first accepted before cutting the connection', async () => {
    await ask(run, '/_sandbox/clock', { advance: 'PT31S' });
    await allSent(await send(2));
    phone.first.breakOfEach();
    mail.first.breakNext();
    const sent = await send(1);
    await allSent(sent);
    for (const each of sent) {
      expect([mailed(mail.second, each), phoned(phone.second, each, 'Messages')]).toEqual([0, 0]);
      expect(phoned(phone.second, each, 'Calls')).toBe(0);
      // Each was accepted, and passed again to the same provider.
      expect([mailed(mail.first, each), phoned(phone.first, each, 'Messages')]).toEqual([2, 2]);
      expect(phoned(phone.first, each, 'Calls')).toBe(2);
    }
    const record = await recordOf(run, sent[0]?.trackingId ?? '');
    expect(record).toMatchObject({
      email_sent_provider: 'smtp',
      sms_sent_provider: 'twilio',
      call_sent_provider: 'twilio',
    });
    for (const channel of CHANNELS) expect(record).not.toHaveProperty(`${channel}_attempts`);
  });
});
