import { expect, it } from 'vitest';
import { handler as updateEnvironment } from '../../../functions/environments/update-environment.ts';
import { handler as savePreferences } from '../../../functions/preferences/save-preferences.ts';
import { handler as updateType } from '../../../functions/types/update-type.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { DUE_QUEUE } from '../../../shared/messaging/queue-names.ts';
import { call } from '../../support/app.ts';
import { atMost } from '../../support/throttling.ts';
import { account, api, HOUR_MS, pipeline, useSchedules } from './account-setup.ts';

useSchedules();

async function patchType(body: object): Promise<void> {
  const path = { notificationId: 'reminder' };
  const { status } = await call(updateType, { key: account.secret.key, path, body });
  expect(status).toBe(200);
}

const switchedOff: [string, () => Promise<unknown>, object][] = [
  ['the type is disabled', () => patchType({ enabled: false }), { ignored: 'DISABLED_NOTIFICATION' }],
  [
    'the preference is off',
    async () => {
      const choice = { notificationId: 'reminder', channel: 'SMS', delivery: 'off' };
      const request = { key: account.secret.key, path: { userId: 'ada' }, body: [choice] };
      expect((await call(savePreferences, request)).status).toBe(200);
    },
    { ignored: 'ALL_CHANNELS_IGNORED', sms_routing_reason: 'IGNORE_BY_PREFERENCES' },
  ],
  [
    'the environment has sending disabled',
    async () => {
      const path = { clientId: account.environment.environmentId };
      const request = { key: account.secret.key, path, body: { disableSending: ['SMS'] } };
      expect((await call(updateEnvironment, request)).status).toBe(200);
    },
    { ignored: 'ALL_CHANNELS_IGNORED', sms_routing_reason: 'IGNORE_BY_ENVIRONMENT' },
  ],
];

it.each(switchedOff)('evaluates a notification again at its due time: %s', async (_, switchOff, expected) => {
  const dueAtMs = pipeline.clock.nowMs + HOUR_MS;
  const trackingId = await api.sendAt(dueAtMs);
  await switchOff();
  await pipeline.goTo(dueAtMs);
  expect(api.texts(trackingId)).toEqual([]);
  expect(await api.log(trackingId)).toMatchObject({ sms_routing: 'IGNORE', ...expected });
});

it.each([
  ['throttling', { throttling: atMost(3, 'hours') }, 3, { sms_routing: 'THROTTLED', ignored: 'THROTTLING' }],
  [
    'deduplication',
    { deduplication: { duration: 3600 } },
    1,
    { sms_routing: 'DEDUPLICATED', ignored: 'DEDUPLICATION' },
  ],
])('applies %s at the due time to 20 notifications due together', async (_, rules, count, expected) => {
  await api.send({});
  await pipeline.settle();
  await patchType(rules);
  const dueAtMs = pipeline.clock.nowMs + 2 * HOUR_MS;
  const trackingIds = await Promise.all(Array.from({ length: 20 }, () => api.sendAt(dueAtMs)));
  await pipeline.goTo(dueAtMs);
  const refused = trackingIds.filter((trackingId) => api.texts(trackingId).length === 0);
  expect(refused).toHaveLength(20 - count);
  expect(await api.log(refused[0] ?? '')).toMatchObject(expected);
});

it('uses no contact data that the user has cleared since', async () => {
  const to = { id: 'ada', number: '+15005551234', email: 'ada@example.com' };
  const dueAtMs = pipeline.clock.nowMs + HOUR_MS;
  const trackingId = await api.sendAt(dueAtMs, { to, sms: { message: 'For {{ user.email }}' } });
  const request = { key: account.secret.key, path: { userId: 'ada' }, body: { email: null } };
  expect((await call(saveUser, request)).status).toBe(200);
  await pipeline.goTo(dueAtMs);
  expect(api.texts(trackingId)).toEqual(['For ']);
  expect(await api.log(trackingId)).not.toHaveProperty('user_email');
});

it('returns a message that arrives early because of a fast clock to its due time', async () => {
  const dueAtMs = pipeline.clock.nowMs + HOUR_MS;
  const trackingId = await api.sendAt(dueAtMs);
  await pipeline.settle();
  pipeline.clock.nowMs = dueAtMs - 40;
  pipeline.queues.send(DUE_QUEUE, [{ body: JSON.stringify({ pk: `LOG#${trackingId}`, dueAtMs }) }]);
  await pipeline.settle({ sweep: false });
  expect(api.texts(trackingId)).toEqual([]);
  pipeline.clock.nowMs = dueAtMs;
  await pipeline.settle({ sweep: false });
  expect(api.sentAtMs(trackingId)).toEqual([dueAtMs]);
});
