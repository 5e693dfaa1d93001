import * as v from 'valibot';
import { ACCOUNT_ACCESS } from '../../shared/http/access/access.ts';
import { route } from '../../shared/http/rows/route.ts';
import { secret } from '../../shared/schemas/account/secret.ts';
import { ApnConfig } from '../../shared/schemas/domains/apn-config.ts';
import { filledTextUpTo } from '../../shared/schemas/fields/text.ts';

const FcmConfigText = v.object({ fcmConfig: filledTextUpTo(16_384) });
const FcmResponse = v.object({ fcmConfig: secret(v.string()) });
const ApnSettings = v.object({
  KeyId: filledTextUpTo(64),
  Key: filledTextUpTo(4096),
  TeamId: filledTextUpTo(64),
  Topic: filledTextUpTo(255),
});

const exampleFcm = {
  fcmConfig:
    '{"type":"service_account","project_id":"shop","client_email":"push@shop.iam.gserviceaccount.com","private_key":"-----BEGIN PRIVATE KEY-----…"}',
};
const exampleApn = {
  KeyId: 'ABC123DEFG',
  Key: '-----BEGIN PRIVATE KEY-----…',
  TeamId: 'DEF123GHIJ',
  Topic: 'com.example.shop',
};

const row = { access: ACCOUNT_ACCESS, secrets: 'all' } as const;
const fcm = { ...row, etag: 'push-fcm', path: '/settings/push/fcm' } as const;
const apn = { ...row, etag: 'push-apn', path: '/settings/push/apn' } as const;

export const getFcmConfigRoute = route({
  ...fcm,
  id: 'getFcmConfig',
  method: 'GET',
  response: { kind: 'json', body: FcmResponse },
  grants: { table: ['get', 'update'], keyring: ['decrypt'] },
  summary: 'Get the FCM configuration of the account',
  description: 'fcmConfig is empty if none is set.',
  example: { response: exampleFcm },
});

export const saveFcmConfigRoute = route({
  ...fcm,
  id: 'saveFcmConfig',
  method: 'PUT',
  body: FcmConfigText,
  response: { kind: 'json', body: FcmResponse },
  grants: { table: ['get', 'put', 'update'], keyring: ['decrypt'] },
  summary: 'Create or update the FCM configuration of the account',
  description: 'fcmConfig is the text of the service-account JSON. It is checked and stored encrypted.',
  example: { request: exampleFcm, response: exampleFcm },
});

export const deleteFcmConfigRoute = route({
  ...fcm,
  id: 'deleteFcmConfig',
  method: 'DELETE',
  response: { kind: 'empty' },
  grants: { table: ['get', 'update', 'delete'] },
  summary: 'Delete the FCM configuration of the account',
});

export const getApnConfigRoute = route({
  ...apn,
  id: 'getApnConfig',
  method: 'GET',
  response: { kind: 'json', body: ApnConfig },
  grants: { table: ['get', 'update'], keyring: ['decrypt'] },
  summary: 'Get the APNs configuration of the account',
  description: 'All four fields are empty if none is set.',
  example: { response: exampleApn },
});

export const saveApnConfigRoute = route({
  ...apn,
  id: 'saveApnConfig',
  method: 'PUT',
  body: ApnSettings,
  response: { kind: 'json', body: ApnConfig },
  grants: { table: ['get', 'put', 'update'], keyring: ['decrypt'] },
  summary: 'Create or update the APNs configuration of the account',
  description: 'Key is the text of the .p8 file. It is checked and stored encrypted.',
  example: { request: exampleApn, response: exampleApn },
});

export const deleteApnConfigRoute = route({
  ...apn,
  id: 'deleteApnConfig',
  method: 'DELETE',
  response: { kind: 'empty' },
  grants: { table: ['get', 'update', 'delete'] },
  summary: 'Delete the APNs configuration of the account',
});
