import { expect, test } from 'vitest';
import { apnsTokens } from '../../../../shared/database/entities/settings/apns-tokens.ts';
import { settingKey } from '../../../../shared/database/keys/account.ts';
import { resolve } from '../../../../shared/runtime/dependency.ts';
import { unpackedText } from '../../../support/everything.ts';
import { useApp } from '../../../support/use-app.ts';
import { apnToken } from './deliveries.ts';
import { DEVICE, startApns } from './start-apns.ts';

const app = useApp();

const authorizations = ({ production }: Awaited<ReturnType<typeof startApns>>) =>
  new Set(production.requests.map(({ headers }) => headers.authorization));

test('gives concurrent instances one shared provider token while it is valid', async () => {
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

test('encrypts the shared provider token and deletes it when it expires', async () => {
  const apns = await startApns({ tokens: resolve(apnsTokens) });
  await apns.send({ accountId: 'a2' });
  const [jwt = ''] = [...authorizations(apns)].map((text) => text?.slice('bearer '.length));
  const item = await app.database.get(settingKey('a2', 'apns-token'));
  expect(unpackedText(item)).not.toContain(jwt.split('.')[2]);
  expect(item?.expiresAt).toBe(apns.clock.nowMs / 1000 + 3600);
});
