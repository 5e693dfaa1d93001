import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { handler as deleteApn } from '../../../functions/push-settings/delete-apn-config.ts';
import { handler as deleteFcm } from '../../../functions/push-settings/delete-fcm-config.ts';
import { handler as getApn } from '../../../functions/push-settings/get-apn-config.ts';
import { handler as getFcm } from '../../../functions/push-settings/get-fcm-config.ts';
import { handler as saveApn } from '../../../functions/push-settings/save-apn-config.ts';
import { handler as saveFcm } from '../../../functions/push-settings/save-fcm-config.ts';
import { accountPk } from '../../../shared/database/keys/key.ts';
import { call } from '../../support/app.ts';
import { expectRefusedValues, NOT_TEXT } from '../../support/strangers.ts';
import { useAccount, useApp } from '../../support/use-app.ts';

const app = useApp();
const account = useAccount(app, 'test');

const pem = { privateKeyEncoding: { type: 'pkcs8', format: 'pem' } } as const;
const publicKeyEncoding = { type: 'spki', format: 'pem' } as const;
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048, ...pem, publicKeyEncoding }).privateKey;
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256', ...pem, publicKeyEncoding }).privateKey;
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384', ...pem, publicKeyEncoding }).privateKey;
const serviceAccount = {
  type: 'service_account',
  project_id: 'läden',
  client_email: 'push@shop.iam.gserviceaccount.com',
  private_key: rsa,
};
const fcmConfig = JSON.stringify(serviceAccount);
const apn = { KeyId: 'ABC123DEFG', Key: p256, TeamId: 'DEF123GHIJ', Topic: 'com.example.shop' };

describe('FCM settings', () => {
  it('returns an empty string while nothing is set, and 204 for a deletion', async () => {
    expect(await call(getFcm, { key: account.secret.key })).toMatchObject({
      status: 200,
      json: { fcmConfig: '' },
    });
    expect(await call(deleteFcm, { key: account.secret.key })).toMatchObject({
      status: 204,
      response: { body: '' },
    });
  });

  it('stores exactly the given text, replacing an earlier one, until it is deleted', async () => {
    const spaced = JSON.stringify({ ...serviceAccount, project_id: 'other' }, null, 2);
    for (const text of [fcmConfig, spaced]) {
      const put = await call(saveFcm, { key: account.secret.key, body: { fcmConfig: text } });
      expect(put).toMatchObject({ status: 200, json: { fcmConfig: text } });
      expect((await call(getFcm, { key: account.secret.key })).json).toEqual({ fcmConfig: text });
    }
    expect((await call(deleteFcm, { key: account.secret.key })).status).toBe(204);
    expect((await call(getFcm, { key: account.secret.key })).json).toEqual({ fcmConfig: '' });
  });

  it('returns 400 for an invalid service account and keeps the stored one', async () => {
    await call(saveFcm, { key: account.secret.key, body: { fcmConfig } });
    const without = (name: string) => JSON.stringify({ ...serviceAccount, [name]: undefined });
    await expectRefusedValues(saveFcm, { key: account.secret.key, body: {} }, 'fcmConfig', [
      ...NOT_TEXT,
      '',
      '   ',
      'not json at all',
      '[]',
      'null',
      'x'.repeat(16_385),
      '\u{1F511}'.repeat(600),
      ...['type', 'project_id', 'client_email', 'private_key'].map(without),
      JSON.stringify({ ...serviceAccount, type: 'authorized_user' }),
      JSON.stringify({ ...serviceAccount, private_key: p256 }),
    ]);
    expect((await call(getFcm, { key: account.secret.key })).json).toEqual({ fcmConfig });
  });
});

describe('APN settings', () => {
  it('returns empty fields while nothing is set, and 204 for a deletion', async () => {
    expect((await call(getApn, { key: account.secret.key })).json).toEqual({
      KeyId: '',
      Key: '',
      TeamId: '',
      Topic: '',
    });
    expect(await call(deleteApn, { key: account.secret.key })).toMatchObject({
      status: 204,
      response: { body: '' },
    });
  });

  it('keeps the configuration until it is deleted', async () => {
    const put = await call(saveApn, { key: account.secret.key, body: apn });
    expect(put).toMatchObject({ status: 200 });
    expect(put.json).toEqual(apn);
    expect((await call(getApn, { key: account.secret.key })).json).toEqual(apn);
    expect((await call(deleteApn, { key: account.secret.key })).status).toBe(204);
    expect((await call(getApn, { key: account.secret.key })).json.Key).toBe('');
  });

  it('returns 400 for each invalid field and keeps the stored configuration', async () => {
    await call(saveApn, { key: account.secret.key, body: apn });
    for (const field of ['KeyId', 'TeamId', 'Topic']) {
      const values = [...NOT_TEXT, '', ' ', 'x'.repeat(2049), 'schlüssel-名前'];
      await expectRefusedValues(saveApn, { key: account.secret.key, body: apn }, field, values);
    }
    const keys = [...NOT_TEXT, '', 'not a key at all', rsa, p384, 'x'.repeat(4097)];
    await expectRefusedValues(saveApn, { key: account.secret.key, body: apn }, 'Key', keys);
    expect((await call(getApn, { key: account.secret.key })).json).toEqual(apn);
  });
});

describe('push settings', () => {
  it('reach the table encrypted only', async () => {
    await call(saveFcm, { key: account.secret.key, body: { fcmConfig } });
    await call(saveApn, { key: account.secret.key, body: apn });
    const items = await app.database.queryAll(accountPk(account.account.accountId), 'SETTING#');
    expect(items).toHaveLength(2);
    const text = JSON.stringify(items);
    for (const hidden of ['service_account', 'PRIVATE KEY', apn.KeyId]) expect(text).not.toContain(hidden);
  });
});
