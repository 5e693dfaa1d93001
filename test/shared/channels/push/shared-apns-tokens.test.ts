import { beforeAll, expect, test } from 'vitest';
import { apnsTokens } from '../../../../shared/database/entities/apns-tokens.ts';
import { settingKey } from '../../../../shared/database/keys.ts';
import { resolve } from '../../../../shared/runtime/dependency.ts';
import { createTestApp, type TestApp } from '../../../support/app.ts';
import { apnToken } from './deliveries.ts';
import { DEVICE, startApns } from './start-apns.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});

const authorizations = ({ production }: Awaited<ReturnType<typeof startApns>>) =>
  new Set(production.requests.map(({ headers }) => headers.authorization));

test('instances that start at the same moment end up with one provider token, for as long as it is good', async () => {
  const apns = await startApns({ tokens: resolve(apnsTokens) });
  const instances = Array.from({ length: 4 }, apns.createSender);
  const sendByAll = () =>
    Promise.all(instances.map((sender) => apns.send({ accountId: 'a1' }, apnToken(DEVICE), sender)));
  expect(await sendByAll()).toEqual(Array.from({ length: 4 }, () => ({ kind: 'sent' })));
  expect(authorizations(apns).size).toBe(1);
  apns.clock.nowMs += 46 * 60_000;
  await sendByAll();
  expect(authorizations(apns).size).toBe(2);
});

test('the shared provider token is encrypted, and outlived by nobody', async () => {
  const apns = await startApns({ tokens: resolve(apnsTokens) });
  await apns.send({ accountId: 'a2' });
  const [jwt = ''] = [...authorizations(apns)].map((text) => text?.slice('bearer '.length));
  const item = await app.database.get(settingKey('a2', 'apns-token'));
  expect(JSON.stringify(item)).not.toContain(jwt.split('.')[2]);
  expect(item?.expiresAt).toBe(apns.clock.nowMs / 1000 + 3600);
});
