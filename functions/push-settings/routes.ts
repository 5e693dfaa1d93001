import * as v from 'valibot';
import { ACCOUNT_ACCESS } from '../../shared/http/access.ts';
import { route } from '../../shared/http/route.ts';
import { ApnConfig } from '../../shared/schemas/apn-config.ts';
import { secret } from '../../shared/schemas/secret.ts';
import { filledTextUpTo } from '../../shared/schemas/text.ts';

const FcmConfigText = v.object({ fcmConfig: filledTextUpTo(16_384) });
const FcmAnswer = v.object({ fcmConfig: secret(v.string()) });
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

const row = { resource: 'push-settings', access: ACCOUNT_ACCESS, secrets: 'all' } as const;

export const getFcmConfigRoute = route({
  ...row,
  id: 'getFcmConfig',
  method: 'GET',
  path: '/settings/push/fcm',
  answer: { kind: 'json', body: FcmAnswer },
  grants: { table: ['get', 'update'], keyring: ['decrypt'] },
  summary: 'Get the FCM configuration of the account',
  description: 'fcmConfig is empty if none is set.',
  example: { answer: exampleFcm },
});

export const saveFcmConfigRoute = route({
  ...row,
  id: 'saveFcmConfig',
  method: 'PUT',
  path: '/settings/push/fcm',
  body: FcmConfigText,
  answer: { kind: 'json', body: FcmAnswer },
  grants: { table: ['get', 'put', 'update'], keyring: ['decrypt'] },
  summary: 'Create or update the FCM configuration of the account',
  description: 'fcmConfig is the text of the service-account JSON. It is checked and stored encrypted.',
  example: { request: exampleFcm, answer: exampleFcm },
});

export const deleteFcmConfigRoute = route({
  ...row,
  id: 'deleteFcmConfig',
  method: 'DELETE',
  path: '/settings/push/fcm',
  answer: { kind: 'empty' },
  grants: { table: ['get', 'update', 'delete'] },
  summary: 'Delete the FCM configuration of the account',
});

export const getApnConfigRoute = route({
  ...row,
  id: 'getApnConfig',
  method: 'GET',
  path: '/settings/push/apn',
  answer: { kind: 'json', body: ApnConfig },
  grants: { table: ['get', 'update'], keyring: ['decrypt'] },
  summary: 'Get the APN configuration of the account',
  description: 'All four fields are empty if none is set.',
  example: { answer: exampleApn },
});

export const saveApnConfigRoute = route({
  ...row,
  id: 'saveApnConfig',
  method: 'PUT',
  path: '/settings/push/apn',
  body: ApnSettings,
  answer: { kind: 'json', body: ApnConfig },
  grants: { table: ['get', 'put', 'update'], keyring: ['decrypt'] },
  summary: 'Create or update the APN configuration of the account',
  description: 'Key is the text of the .p8 file. It is checked and stored encrypted.',
  example: { request: exampleApn, answer: exampleApn },
});

export const deleteApnConfigRoute = route({
  ...row,
  id: 'deleteApnConfig',
  method: 'DELETE',
  path: '/settings/push/apn',
  answer: { kind: 'empty' },
  grants: { table: ['get', 'update', 'delete'] },
  summary: 'Delete the APN configuration of the account',
});

export const pushSettingsRoutes = [
  getFcmConfigRoute,
  saveFcmConfigRoute,
  deleteFcmConfigRoute,
  getApnConfigRoute,
  saveApnConfigRoute,
  deleteApnConfigRoute,
];
