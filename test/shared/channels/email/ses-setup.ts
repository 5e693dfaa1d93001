import { SESv2Client } from '@aws-sdk/client-sesv2';
import { afterAll, beforeAll } from 'vitest';
import {
  createSesProvider,
  type SesOptions,
  sesClientOptions,
} from '../../../../shared/channels/email/ses/ses.ts';
import { startFakeSes } from '../../../support/fakes/ses.ts';
import { later, use } from '../../../support/use-started.ts';
import { noRequests } from './guarded.ts';

export const ses = later(startFakeSes);
let client: SESv2Client;

export function provider(overrides: Partial<SesOptions> = {}) {
  return createSesProvider({ client, guarded: noRequests, random: () => 0.5, ...overrides });
}

/** Starts this set-up for the tests of a file. */
export function useSes(): void {
  use(ses);
  beforeAll(() => {
    client = new SESv2Client({
      ...sesClientOptions({ region: 'eu-west-1', endpoint: ses.url }),
      credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' },
    });
  });
  afterAll(() => {
    client.destroy();
  });
}
