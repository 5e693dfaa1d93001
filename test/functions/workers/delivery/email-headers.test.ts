import { expect, it, vi } from 'vitest';
import { handler as updateAccount } from '../../../../functions/account/update-account.ts';
import { handler as saveConsent } from '../../../../functions/preferences/save-consent.ts';
import { handler as send } from '../../../../functions/sending/send.ts';
import { handler as createTemplate } from '../../../../functions/templates/create-template.ts';
import { handler as createType } from '../../../../functions/types/create-type.ts';
import { handler as deliverEmail } from '../../../../functions/workers/delivery/deliver-email.ts';
import { emailProvider } from '../../../../shared/providers/email/email.ts';
import { replace } from '../../../../shared/runtime/dependency.ts';
import { call } from '../../../support/app.ts';
import { accepted, account, provider, receive, useDelivering } from './deliver-setup.ts';

useDelivering();

const EMAIL = {
  type: 'order',
  to: { id: 'ada', email: 'ada@example.com' },
  email: { subject: 's', html: 'h' },
};

async function delivered(more: object) {
  const { provider: fake, deliveries } = provider<'EMAIL'>();
  replace(emailProvider, () => fake);
  await receive(deliverEmail, 1, await accepted({ ...EMAIL, ...more }));
  return deliveries[0];
}

const headersOf = async (more: object) =>
  new Map((await delivered(more))?.headers.map(({ name, value }) => [name, value]));

it('emails of a thread reply to the same message, which is another for another thread or user', async () => {
  const first = await headersOf({ options: { email: { thread: 'order 7' } } });
  expect(first.get('In-Reply-To')).toMatch(/^<thread\.[0-9a-f]{32}@mail\.example\.com>$/);
  expect(first.get('References')).toBe(first.get('In-Reply-To'));
  const second = await headersOf({ options: { email: { thread: 'order 7' } } });
  expect(second.get('In-Reply-To')).toBe(first.get('In-Reply-To'));
  for (const other of [
    { options: { email: { thread: 'order 8' } } },
    { options: { email: { thread: 'order 7' } }, to: { id: 'bob', email: 'bob@example.com' } },
  ])
    expect((await headersOf(other)).get('In-Reply-To')).not.toBe(first.get('In-Reply-To'));
  expect((await headersOf({})).has('References')).toBe(false);
});

it('has the headers of the request, or else of its type', async () => {
  const headers = { Importance: 'high', 'X-Order': '7' };
  const options = { email: { headers: { 'X-Order': 'of the type' } } };
  const { key } = account.secret;
  await call(createType, {
    key,
    body: { notificationId: 'typed', title: 't', channels: ['EMAIL'], options },
  });
  expect((await headersOf({ type: 'typed' })).get('X-Order')).toBe('of the type');
  const own = await headersOf({ type: 'typed', options: { email: { headers } } });
  expect([own.get('X-Order'), own.get('Importance')]).toEqual(['7', 'high']);
});

it.each([
  ['another header', { Bcc: 'eve@example.com' }],
  ['one of the service', { 'X-Tracking-ID': 'x' }],
  ['one that SES reads', { 'X-SES-CONFIGURATION-SET': 'x' }],
  ['a line break in a value', { 'X-Order': '7\r\nBcc: eve@example.com' }],
  ['a line break in a name', { 'X-Order\r\nBcc': '7' }],
  ['more than ten', Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`X-${index}`, '1']))],
])('refuses %s', async (_, headers) => {
  const body = { ...EMAIL, options: { email: { headers } } };
  const { status, json } = await call(send, { key: account.secret.key, body });
  expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
});

it('says in words what a header may be', async () => {
  const messageOf = async (headers: object) =>
    (await call(send, { key: account.secret.key, body: { ...EMAIL, options: { email: { headers } } } })).json
      .error.message;
  expect(await messageOf({ Bcc: 'x' })).toContain('must be X-…, Importance, Priority or Sensitivity');
  expect(await messageOf({ 'X-Order': 'ä' })).toContain('must be 1 to 500 printable ASCII characters');
});

it('is tracked as the request says, or its type, or the deployment, which leaves alone what nobody can turn off', async () => {
  const { key } = account.secret;
  const fixed = { EMAIL: { defaultDeliveryOption: 'instant', off: { enabled: false } } };
  const body = { title: 't', channels: ['EMAIL'] };
  const typed = { email: { tracking: { opens: false } } };
  await call(createType, { key, body: { ...body, notificationId: 'reset', options: fixed } });
  await call(createType, { key, body: { ...body, notificationId: 'partly', options: typed } });
  const trackingOf = async (type: string, tracking?: object) =>
    (await delivered({ type, ...(tracking && { options: { email: { tracking } } }) }))?.tracking;
  expect(await trackingOf('order')).toEqual({ opens: true, clicks: true });
  expect(await trackingOf('reset')).toEqual({ opens: false, clicks: false });
  expect(await trackingOf('reset', { clicks: true })).toEqual({ opens: false, clicks: true });
  expect(await trackingOf('partly')).toEqual({ opens: false, clicks: true });
  expect(await trackingOf('partly', { opens: true, clicks: false })).toEqual({ opens: true, clicks: false });
  vi.stubEnv('EMAIL_TRACKING', 'off');
  expect(await trackingOf('order')).toEqual({ opens: false, clicks: false });
  expect(await trackingOf('partly', { clicks: true })).toEqual({ opens: false, clicks: true });
  vi.unstubAllEnvs();
});

it('has the plain text of the request or its template, or else that of its html', async () => {
  const textOf = async (more: object) => (await delivered(more))?.text;
  const email = { subject: 's', html: '<p>Hi</p>' };
  expect(await textOf({ email })).toBe('Hi');
  expect(await textOf({ email: { ...email, text: 'Dear {{ user.id }} & all,\nhi' } })).toBe(
    'Dear ada & all,\nhi',
  );
  const { key } = account.secret;
  const body = { title: 't', channels: ['EMAIL'] };
  await call(createType, { key, body: { ...body, notificationId: 'stored' } });
  const path = { notificationId: 'stored', channel: 'EMAIL' };
  const template = { templateId: 'a', ...email, text: 'From the template' };
  expect((await call(createTemplate, { key, path, body: template })).status).toBe(200);
  expect(await textOf({ type: 'stored', email: undefined })).toBe('From the template');
  expect(await textOf({ type: 'stored', email })).toBe('Hi');
});

it('is tracked only with a recorded consent where the account needs one', async () => {
  const { key } = account.secret;
  await call(createType, { key, body: { notificationId: 'tracked', title: 't', channels: ['EMAIL'] } });
  const tracking = { opens: true, clicks: true };
  const trackingOf = async () =>
    (await delivered({ type: 'tracked', options: { email: { tracking } } }))?.tracking;
  expect(await trackingOf()).toMatchObject(tracking);
  await call(updateAccount, { key, body: { trackingNeedsConsent: true } });
  expect(await trackingOf()).not.toMatchObject({ opens: true });
  const consent = { notificationId: 'tracked', channel: 'EMAIL', state: 'given', source: 'form' };
  expect((await call(saveConsent, { key, path: { userId: 'ada' }, body: consent })).status).toBe(200);
  expect(await trackingOf()).toMatchObject(tracking);
  await call(updateAccount, { key, body: { trackingNeedsConsent: null } });
});
