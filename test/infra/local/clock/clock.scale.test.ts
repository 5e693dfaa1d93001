import { expect, it } from 'vitest';
import { startLocalRun } from '../../../support/local-run.ts';
import { patientFetch } from '../../../support/patient-fetch.ts';
import { atMost } from '../../../support/throttling.ts';
import { useStarted } from '../../../support/use-started.ts';

const START = '2026-11-21T08:10:00.000Z';
const at = (time: string) => `2026-11-21T${time}.000Z`;
const enabled = { enabled: true };
const NUMBER = '+15005551234';

const run = useStarted(() => startLocalRun({ args: ['--clock', START] }));

// biome-ignore lint/suspicious/noExplicitAny: tests read responses freely
async function post(path: string, body: unknown): Promise<any> {
  const headers = { authorization: `Bearer ${run.secretKey}` };
  const response = await patientFetch(run.baseUrl + path, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`);
  return response.json();
}

type Recorded = { atMs: number; message: { message: string } };

/** The texts that were passed to the provider, with the moment of each. */
async function texts(): Promise<[string, string][]> {
  const response = await fetch(`${run.baseUrl}/_sandbox/messages?channel=SMS`);
  const { messages } = (await response.json()) as { messages: Recorded[] };
  return messages.map(({ atMs, message }) => [message.message, new Date(atMs).toISOString()]);
}

const send = (type: string, text: string, more: object = {}) =>
  post('/send', {
    type,
    to: { id: 'ada', number: NUMBER },
    parameters: { text },
    sms: { message: '{{ text }}' },
    ...more,
  });

it('sends everything at its own time and in order, retries included, when moved by a day', async () => {
  const hourly = { defaultDeliveryOption: 'hourly', hourly: enabled };
  await post('/types', {
    notificationId: 'comment',
    title: 'Comment',
    channels: ['SMS'],
    options: { SMS: hourly },
  });
  const throttling = atMost(1, 'hours');
  await post('/types', { notificationId: 'alarm', title: 'Alarm', channels: ['SMS'], throttling });
  await send('comment', 'a');
  await send('comment', 'b');
  await send('comment', 'c', { schedule: at('09:30:00') });
  await send('comment', 'd', { schedule: at('11:00:00') });
  await send('plain', 'plain', { schedule: at('08:30:17') });
  await send('plain', 'with the digest', { schedule: at('10:00:00') });
  await send('plain', 'later', { to: { id: 'bob', number: '+15005550429' }, schedule: at('13:00:00') });
  for (const time of ['14:00:00', '14:59:59', '15:00:00']) {
    await send('alarm', time, { schedule: at(time) });
  }
  const { now } = await post('/_sandbox/clock', { now: '2026-11-22T08:10:00Z' });
  expect(Date.parse(now) - Date.parse('2026-11-22T08:10:00Z')).toBeLessThan(3_600_000);
  const sent = await texts();
  expect(sent.map(([, time]) => time)).toEqual(sent.map(([, time]) => time).toSorted());
  // A digest and a notification of the same moment go out in any order.
  expect(
    sent.toSorted((left, right) => (left.toReversed().join() < right.toReversed().join() ? -1 : 1)),
  ).toEqual([
    ['plain', at('08:30:17')],
    ['a\nb', at('09:00:00')],
    ['c', at('10:00:00')],
    ['with the digest', at('10:00:00')],
    ['d', at('12:00:00')],
    ['later', at('13:00:00')],
    ['later', at('13:00:03')],
    ['14:00:00', at('14:00:00')],
    ['15:00:00', at('15:00:00')],
  ]);
});

it('sends 60 notifications of one minute each at its own time', async () => {
  const startMs = Date.parse((await run.request('/_sandbox/clock')).json.now) + 3_600_000;
  const times = Array.from({ length: 60 }, (_, index) => new Date(startMs + index * 707).toISOString());
  const to = { id: 'ada', number: NUMBER };
  const each = (time: string) => ({ type: 'burst', to, schedule: time, sms: { message: time } });
  await post('/send/bulk', { notifications: times.map(each) });
  await post('/_sandbox/clock', { advance: 'PT2H' });
  const sent = (await texts()).filter(([text]) => times.includes(text));
  expect(sent).toEqual(times.map((time) => [time, time]));
});

it('moves as far as the farthest of several concurrent callers', async () => {
  const now = async () => Date.parse((await run.request('/_sandbox/clock')).json.now);
  const before = await now();
  await Promise.all(['PT1H', 'PT30M', 'P1D'].map((advance) => post('/_sandbox/clock', { advance })));
  expect((await now()) - before).toBeGreaterThanOrEqual(25.5 * 3_600_000);
});

it('rejects moves backwards, invalid durations and years out of range, and then still moves', async () => {
  const times = [START, 'noon', 'Dec 24 2027', '9999-12-31T00:00:00Z', '+275760-09-13T00:00:00Z', 1, null];
  const durations = ['-PT1H', 'P', 'PT', '', 'P99999999999W', 'P10000W', 3600];
  const bodies = [
    ...times.map((now) => ({ now })),
    ...durations.map((advance) => ({ advance })),
    {},
    [],
    null,
  ];
  for (const body of bodies) {
    await expect(post('/_sandbox/clock', body)).rejects.toThrow('returned 400');
  }
  expect((await run.request('/_sandbox/clock')).status).toBe(200);
  await post('/_sandbox/clock', { now: '2027-12-24T12:00:00' });
  expect((await run.request('/_sandbox/clock')).json.now).toMatch('2027-12-24T12:00');
});
