import { SESv2Client } from '@aws-sdk/client-sesv2';
import { afterAll, beforeAll } from 'vitest';
import {
  createSesProvider,
  type SesOptions,
  sesClientOptions,
} from '../../../../shared/channels/email/ses.ts';
import { startFakeSes } from '../../../support/fakes/ses.ts';
import { useStarted } from '../../../support/use-started.ts';
import { noRequests } from './guarded.ts';

export const ses = useStarted(startFakeSes);
let client: SESv2Client;

beforeAll(() => {
  client = new SESv2Client({
    ...sesClientOptions({ region: 'eu-west-1', endpoint: ses.url }),
    credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' },
  });
});

afterAll(() => {
  client.destroy();
});

export function provider(overrides: Partial<SesOptions> = {}) {
  return createSesProvider({ client, guarded: noRequests, random: () => 0.5, ...overrides });
}
