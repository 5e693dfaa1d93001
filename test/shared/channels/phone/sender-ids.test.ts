import { expect, it } from 'vitest';
import { fakeAws } from './aws-setup.ts';
import { smsDelivery } from './deliveries.ts';
import { fakeTelnyx } from './telnyx-setup.ts';
import { fakeTwilio } from './twilio-setup.ts';

const delivery = smsDelivery({ from: 'ACME', to: '+447400123456' });

it('goes to Twilio as From, without the messaging service', async () => {
  const { fake, sms } = await fakeTwilio();
  const outcome = await sms({ messagingServiceSid: 'MG1' }).deliver(delivery);
  const [form] = fake.forms();
  expect([form?.get('From'), form?.get('To'), form?.has('MessagingServiceSid')]).toEqual([
    'ACME',
    '+447400123456',
    false,
  ]);
  expect(outcome).toMatchObject({ kind: 'sent', fields: { sms_sent_country: 'GB' } });
});

it('goes to Telnyx as from, with the messaging profile that it needs', async () => {
  const { fake, sms } = await fakeTelnyx();
  expect(await sms({ messagingProfileId: 'profile-1' }).deliver(delivery)).toMatchObject({ kind: 'sent' });
  expect(fake.bodies()).toMatchObject([{ from: 'ACME', messaging_profile_id: 'profile-1', type: 'SMS' }]);
});

it('goes to AWS as OriginationIdentity', async () => {
  const { fake, sms } = await fakeAws();
  expect(await sms().deliver(delivery)).toMatchObject({ kind: 'sent', fields: { sms_sent_from: 'ACME' } });
  expect(fake.inputs()).toMatchObject([
    { operation: 'SendTextMessage', input: { OriginationIdentity: 'ACME' } },
  ]);
});
