import { expect, it, onTestFinished } from 'vitest';
import { liveCall, liveSms } from '../../../shared/providers/phone/phone.ts';
import { deploymentSource } from '../../../shared/providers/settings/provider-source.ts';
import { startFakeTwilio } from '../../support/fakes/twilio.ts';
import { callDelivery, smsDelivery } from '../channels/phone/deliveries.ts';

it.each([
  ['https://api.example.com', true],
  ['https://api.example.com:8443', true],
  ['http://localhost:3000', false],
  ['http://127.0.0.1:3000', false],
  ['https://nds.local', false],
  ['http://192.168.1.7:3000', false],
  ['http://[::1]:3000', false],
  ['', false],
])('gives Twilio a callback address only if it can reach it: %s', async (base, isGiven) => {
  const fake = await startFakeTwilio();
  onTestFinished(fake.close);
  process.env.PUBLIC_BASE_URL = base;
  process.env.TWILIO_BASE_URL = fake.url;
  process.env.TWILIO_ACCOUNT_SID = fake.accountSid;
  process.env.TWILIO_AUTH_TOKEN = fake.authToken;
  process.env.TWILIO_FROM = '+12025550100';
  const entry = { text: 'twilio', provider: 'twilio' } as const;
  const source = deploymentSource(entry);
  expect(await (await liveSms(entry, source)).deliver(smsDelivery())).toMatchObject({ kind: 'sent' });
  expect(await (await liveCall(entry, source)).deliver(callDelivery())).toMatchObject({ kind: 'sent' });
  expect(fake.forms().map((form) => form.has('StatusCallback'))).toEqual([isGiven, isGiven]);
});
