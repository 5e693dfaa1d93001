import { beforeAll, expect, it } from 'vitest';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { handler as updateType } from '../../../functions/types/update-type.ts';
import { handler as unsubscribe } from '../../../functions/unsubscribe/unsubscribe.ts';
import { handler as deliverEmail } from '../../../functions/workers/delivery/deliver-email.ts';
import type { EmailDelivery } from '../../../shared/channels/channel.ts';
import { emailProvider } from '../../../shared/providers/email/email.ts';
import { replace } from '../../../shared/runtime/dependency.ts';
import { call } from '../../support/app.ts';
import { useAccount, useApp } from '../../support/use-app.ts';
import { deliver } from '../../support/workers.ts';

const app = useApp();
const account = useAccount(app);
beforeAll(() => {
  const settings = { PUBLIC_BASE_URL: 'https://n.example', MAIL_DOMAIN: 'mail.example.com' };
  Object.assign(process.env, { ...settings, EMAIL_PROVIDER: 'sandbox' });
});

const HTML = '<p>[{{ unsubscribe_url }}][{{ preferences_url }}]</p>';
const body = {
  type: 'security',
  to: { id: 'ada', email: 'ada@example.com' },
  email: { subject: 's', html: HTML },
};
const optionsOf = (isOff: boolean) => ({
  EMAIL: { defaultDeliveryOption: 'instant', off: { enabled: isOff }, instant: { enabled: true } },
});

/** The email as its provider gets it. */
async function sent(): Promise<EmailDelivery | undefined> {
  let made: EmailDelivery | undefined;
  replace(emailProvider, () => ({
    name: 'scripted',
    async deliver(delivery) {
      made = delivery;
      return { kind: 'sent', fields: {} };
    },
  }));
  const { json } = await call(send, { key: account.secret.key, body });
  await deliver(deliverEmail, { trackingId: json.trackingId });
  return made;
}
const listHeaders = (delivery: EmailDelivery | undefined) =>
  delivery?.headers.filter(({ name }) => name.startsWith('List-')).map(({ name }) => name);

it('an email of a type that cannot be turned off offers no unsubscription, and an old link says why', async () => {
  const { key } = account.secret;
  const type = { notificationId: 'security', title: 'Security', channels: ['EMAIL'] };
  await call(createType, { key, body: { ...type, options: optionsOf(true) } });
  const before = await sent();
  expect(listHeaders(before)).toEqual(['List-Unsubscribe', 'List-Unsubscribe-Post']);
  const [, link = ''] = /\[(https:[^\]]+)\]/.exec(before?.html ?? '') ?? [];

  await call(updateType, { key, path: { notificationId: 'security' }, body: { options: optionsOf(false) } });
  const after = await sent();
  expect(listHeaders(after)).toEqual([]);
  expect(after?.html).toMatch(/\[\]\[https:\/\/n\.example\/preferences\/[^\]]+\]/);
  const dryRun = await call(send, { key, body, query: { dryRun: 'true' } });
  const routed = dryRun.json.routing.find(({ channel }: { channel: string }) => channel === 'EMAIL');
  expect(routed).toMatchObject({ missing: ['unsubscribe_url'] });
  const token = link.slice(link.lastIndexOf('/') + 1);
  const { status, response } = await call(unsubscribe, { path: { token } });
  expect([status, response.body]).toEqual([200, expect.stringContaining('This cannot be turned off')]);
});
