import { expect, it } from 'vitest';
import { handler as updateEnvironment } from '../../../functions/environments/update-environment.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { useApp } from '../../support/use-app.ts';
import { recordOf } from '../../support/workers.ts';

const app = useApp();

async function limited(onlyTo: unknown) {
  const account = await createTestAccount(app);
  const path = { clientId: account.environment.environmentId };
  const changed = await call(updateEnvironment, { key: account.secret.key, path, body: { onlyTo } });
  return { account, changed };
}

const EMAIL = { subject: 'S', html: 'H' };
const MAIL = { email: EMAIL };
const INAPP = { inapp: { title: 'T' } };
const TEXT = { sms: { message: 'M' } };

it.each<[string[], object, object, string]>([
  [['qa@example.com'], { id: 'a', email: 'QA@example.com' }, MAIL, 'SEND'],
  [['QA@Example.com '], { id: 'a', email: 'qa@example.com' }, MAIL, 'SEND'],
  [['qa@example.com'], { id: 'a', email: 'ada@example.com' }, MAIL, 'IGNORE'],
  [['example.com'], { id: 'a', email: 'ada@example.com' }, MAIL, 'SEND'],
  [['example.com'], { id: 'a', email: 'ada@notexample.com' }, MAIL, 'IGNORE'],
  [['example.com'], { id: 'a', email: 'ada@sub.example.com' }, MAIL, 'IGNORE'],
  [['+14155550123'], { id: 'a', number: '+1 415 555 0123' }, TEXT, 'SEND'],
  [['example.com'], { id: 'a', number: '+14155550123', email: 'a@example.com' }, TEXT, 'IGNORE'],
  [['example.com'], { id: 'a', email: 'ada@example.com' }, INAPP, 'SEND'],
  [['example.com'], { id: 'a' }, INAPP, 'IGNORE'],
  [[], { id: 'a', email: 'ada@other.org' }, MAIL, 'SEND'],
  [
    ['example.com'],
    { id: 'a', email: 'ada@example.com' },
    { ...MAIL, options: { email: { bccAddresses: ['Eve <eve@other.org>'] } } },
    'IGNORE',
  ],
])('an environment for %j only: %j with %j is %s', async (onlyTo, to, content, routing) => {
  const { account } = await limited(onlyTo);
  const channel = 'sms' in content ? 'SMS' : 'inapp' in content ? 'INAPP_WEB' : 'EMAIL';
  const { json } = await call(send, { key: account.secret.key, body: { type: 't', to, ...content } });
  const decided = json.routing.find((each: { channel: string }) => each.channel === channel);
  const reason = routing === 'SEND' ? {} : { reason: 'IGNORE_BY_ENVIRONMENT' };
  expect(decided).toEqual({ channel, routing, ...reason });
  const record = await recordOf(account, json.trackingId);
  expect(Object.values(record)).toContain(routing);
});

it.each([
  [['not an address']],
  [['*']],
  [[7]],
  ['example.com'],
  [Array.from({ length: 101 }, (_, index) => `u${index}@example.com`)],
])('returns 400 for onlyTo of %j, and changes nothing', async (onlyTo) => {
  const { account, changed } = await limited(onlyTo);
  expect([changed.status, changed.json.error.code]).toEqual([400, 'INVALID_REQUEST']);
  const to = { id: 'ada', email: 'ada@other.org' };
  const { json } = await call(send, { key: account.secret.key, body: { type: 't', to, ...MAIL } });
  expect(json.routing).toContainEqual({ channel: 'EMAIL', routing: 'SEND' });
});
