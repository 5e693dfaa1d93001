import * as v from 'valibot';
import { FREE_PLAN_SETTINGS } from '../../shared/domain/costs/usage-caps.ts';
import { SENDER_SETTINGS } from '../../shared/domain/phone/sms-senders.ts';
import { ACCOUNT_ACCESS, ADMIN_ACCESS, ANY_ACCESS } from '../../shared/http/access/access.ts';
import { route } from '../../shared/http/rows/route.ts';
import { AccountChangeBody, AccountMetadata, AccountResponse } from '../../shared/schemas/account/account.ts';
import { Organization } from '../../shared/schemas/account/organization.ts';
import { exampleOrganization } from '../organization/example-organization.ts';

const exampleAccount = {
  accountId: 'q3Vb7Yx0KpLm2RtA',
  name: 'Shop',
  defaultEnvironmentId: 'x7Yb2Lm9QwErTyUi',
  logo: 'https://shop.example.com/logo.png',
  retentionInDays: 30,
  contentDays: 30,
  timezone: 'Europe/Berlin',
  locale: 'en',
  defaultSender: { address: 'hello@shop.example.com', name: 'Shop' },
  linkSchemes: ['shop'],
  createdAt: '2026-11-21T08:30:00.000Z',
};

export const getAccountRoute = route({
  id: 'getAccount',
  method: 'GET',
  etag: 'account',
  path: '/account',
  access: ACCOUNT_ACCESS,
  response: { kind: 'json', body: AccountResponse },
  grants: { table: ['get', 'update'] },
  summary: 'Get the settings of the account',
  example: { response: exampleAccount },
});

export const updateAccountRoute = route({
  id: 'updateAccount',
  method: 'POST',
  etag: 'account',
  replaces: true,
  path: '/account',
  access: ACCOUNT_ACCESS,
  body: AccountChangeBody,
  response: { kind: 'json', body: AccountResponse },
  grants: { table: ['get', 'batchGet', 'query', 'put', 'update'] },
  summary: 'Change the settings of the account',
  description: 'Changes the given fields; null resets one to its default.',
  example: { request: { retentionInDays: 90, timezone: 'Europe/Berlin' }, response: exampleAccount },
  settings: SENDER_SETTINGS,
  errors: ['INVALID_TEMPLATE'],
});

export const getAccountOrganizationRoute = route({
  id: 'getAccountOrganization',
  method: 'GET',
  path: '/account/organization',
  access: ADMIN_ACCESS,
  response: { kind: 'json', body: Organization },
  settings: FREE_PLAN_SETTINGS,
  grants: { table: ['get', 'query', 'update'] },
  summary: 'Get the billing record of the organization',
  description:
    'For an organization that POST /billing has not stored yet, returns the caps of the free plan.',
  example: {
    response: exampleOrganization,
  },
});

export const getAccountMetadataRoute = route({
  id: 'getAccountMetadata',
  method: 'GET',
  path: '/users/account-metadata',
  access: ANY_ACCESS,
  response: { kind: 'json', body: v.object({ userAccountMetadata: AccountMetadata }) },
  grants: { table: ['get', 'update'] },
  summary: 'Get the account data that a browser needs',
  description:
    'hasWebPushEnabled shows whether a browser should ask for permission: the environment has a VAPID key pair and sends on WEB_PUSH. logo is empty if none is set.',
  example: {
    response: {
      userAccountMetadata: {
        logo: 'https://shop.example.com/logo.png',
        environmentVapidPublicKey:
          'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
        hasWebPushEnabled: true,
      },
    },
  },
  cors: true,
});
