import { SESv2Client } from '@aws-sdk/client-sesv2';
import { afterAll, beforeAll } from 'vitest';
import {
  createSesProvider,
  type SesOptions,
  sesClientOptions,
} from '../../../../shared/channels/email/ses.ts';
import { type FakeSes, startFakeSes } from '../../../support/fakes/ses.ts';
import { noRequests } from './guarded.ts';

export let ses: FakeSes;
let client: SESv2Client;

beforeAll(async () => {
  ses = await startFakeSes();
  client = new SESv2Client({
    ...sesClientOptions({ region: 'eu-west-1', endpoint: ses.url }),
    credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' },
  });
});

afterAll(async () => {
  client.destroy();
  await ses.close();
});

export function provider(overrides: Partial<SesOptions> = {}) {
  return createSesProvider({ client, guarded: noRequests, random: () => 0.5, ...overrides });
}
