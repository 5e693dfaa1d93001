import { expect, it } from 'vitest';
import { handler as getAccount } from '../../../functions/account/get-account.ts';
import { handler as updateAccount } from '../../../functions/account/update-account.ts';
import { handler as createKey } from '../../../functions/keys/create-api-key.ts';
import { handler as deleteApnConfig } from '../../../functions/push-settings/delete-apn-config.ts';
import { handler as deleteFcmConfig } from '../../../functions/push-settings/delete-fcm-config.ts';
import { handler as getApnConfig } from '../../../functions/push-settings/get-apn-config.ts';
import { handler as getFcmConfig } from '../../../functions/push-settings/get-fcm-config.ts';
import { handler as saveApnConfig } from '../../../functions/push-settings/save-apn-config.ts';
import { handler as saveFcmConfig } from '../../../functions/push-settings/save-fcm-config.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { useApp } from '../../support/use-app.ts';

const app = useApp();

it('denies a key bound to an environment access to what belongs to the account', async () => {
  const { secret, environment } = await createTestAccount(app);
  const body = { keyType: 'secret', name: 'bound', environmentId: environment.environmentId };
  const { key } = (await call(createKey, { key: secret.key, body })).json;
  const ofAccount = [getAccount, updateAccount, getFcmConfig, saveFcmConfig, deleteFcmConfig];
  const ofPush = [getApnConfig, saveApnConfig, deleteApnConfig];
  for (const handler of [...ofAccount, ...ofPush]) {
    const { status, json } = await call(handler, { key, body: {} });
    expect([status, json.error.code]).toEqual([401, 'FORBIDDEN_KEY_TYPE']);
  }
  expect((await call(getAccount, { key: secret.key })).status).toBe(200);
  expect((await call(saveUser, { key, path: { userId: 'ada' }, body: {} })).status).toBe(200);
});
