import { beforeAll, expect, it } from 'vitest';
import { handler as send } from '../../../../functions/sending/send.ts';
import { handler as getUser } from '../../../../functions/users/get-user.ts';
import { handler as deliverEmail } from '../../../../functions/workers/delivery/deliver-email.ts';
import { createSmtpProvider } from '../../../../shared/channels/email/smtp/smtp.ts';
import { answerableEmail } from '../../../../shared/providers/email/answerable-email.ts';
import { replace } from '../../../../shared/runtime/dependency.ts';
import { noRequests } from '../../../shared/channels/email/guarded.ts';
import { startSmtp } from '../../../shared/channels/email/smtp-server.ts';
import { call } from '../../../support/app.ts';
import { useAccount, useApp } from '../../../support/use-app.ts';
import { deliver, recordOf } from '../../../support/workers.ts';

const app = useApp();
const account = useAccount(app, 'test');
beforeAll(() => {
  process.env.MAIL_DOMAIN = 'mail.example.net';
});

it.each([
  [550, '5.1.1 User unknown', true],
  [550, '5.7.1 Blocked by policy', false],
  [552, '5.2.2 Mailbox full', false],
  [554, 'No', false],
])('a recipient rejected with %i %s is suppressed: %s', async (responseCode, text, isSuppressed) => {
  const server = await startSmtp({ rcptTo: { '*': { responseCode, text } } });
  replace(answerableEmail, () => createSmtpProvider({ url: server.url, guarded: noRequests }));
  const { key } = account.secret;
  const id = `user-${responseCode}-${text.length}`;
  const body = {
    type: 't',
    to: { id, email: `${id}@example.com` },
    email: { subject: 's', html: '<p>h</p>' },
  };
  const { trackingId } = (await call(send, { key, body })).json;
  expect(await deliver(deliverEmail, { trackingId })).toEqual([]);
  expect(await recordOf(account, trackingId)).toHaveProperty('email_failed_code');
  const { emailSuppressionStatus } = (await call(getUser, { key, path: { userId: id } })).json;
  expect(emailSuppressionStatus !== undefined).toBe(isSuppressed);
  const again = (await call(send, { key, body })).json;
  expect(again.messages).toHaveLength(isSuppressed ? 1 : 0);
});
