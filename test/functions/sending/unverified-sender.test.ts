import { afterEach, beforeEach, expect, it } from 'vitest';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as sendBulk } from '../../../functions/sending/send-bulk.ts';
import { handler as sendEmail } from '../../../functions/sending/send-email.ts';
import { accounts } from '../../../shared/database/entities/accounts/accounts.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { call } from '../../support/app.ts';
import { useAccount, useApp } from '../../support/use-app.ts';

const app = useApp();
const account = useAccount(app);
beforeEach(() => void Object.assign(process.env, { EMAIL_PROVIDER: 'ses', MAIL_DOMAIN: 'mail.example.net' }));
afterEach(() => resolve(accounts).update(account.account.accountId, { defaultSender: undefined }));

const PROBLEM =
  'EMAIL cannot be sent: the sender is not on a verified domain (UNVERIFIED_SENDER). GET /domains lists verified domains.';
const TO = { id: 'ada', email: 'ada@example.com' };
const EMAIL = { subject: 'S', html: 'H' };
const OTHER = 'ada@unverified.example.org';
const ask = async (handler: Parameters<typeof call>[0], body: object, query: Record<string, string> = {}) =>
  (await call(handler, { key: account.secret.key, body, query })).json;

it.each<[string, object, string[]]>([
  ['names none', { email: EMAIL }, []],
  ['names one in options', { email: EMAIL, options: { email: { fromAddress: OTHER } } }, [PROBLEM]],
  ['names one in its content', { email: { ...EMAIL, senderEmail: OTHER } }, [PROBLEM]],
  ['has a template, whose sender is not read', { templateId: 'welcome' }, []],
  [
    'has no address to send the email to',
    {
      to: { id: 'eve', number: '+14155550123' },
      sms: { message: 'M' },
      email: { ...EMAIL, senderEmail: OTHER },
    },
    [],
  ],
  [
    'sends no email',
    { sms: { message: 'M' }, forceChannels: ['SMS'], options: { email: { fromAddress: OTHER } } },
    [],
  ],
])(
  'reports a sender that is not verified where it is known, for a request that %s',
  async (_, body, expected) => {
    const request = { type: 'welcome', to: { ...TO, number: '+14155550123' }, ...body };
    for (const query of [{ dryRun: 'true' }, {}] as Record<string, string>[]) {
      const { messages } = await ask(send, request, query);
      expect(messages.filter((each: string) => each.startsWith('EMAIL cannot'))).toEqual(expected);
    }
    const { results } = await ask(sendBulk, { notifications: [request] });
    expect(results[0].messages.filter((each: string) => each.startsWith('EMAIL cannot'))).toEqual(expected);
  },
);

it('reports it of POST /email and of a topic', async () => {
  const email = { type: 'welcome', to: TO.email, subject: 'S', html: 'H', fromAddress: OTHER };
  expect((await ask(sendEmail, email)).messages).toContain(PROBLEM);
  const topic = { type: 'welcome', to: { topic: 'team' }, email: { ...EMAIL, senderEmail: OTHER } };
  expect((await ask(send, topic)).messages).toContain(PROBLEM);
});
