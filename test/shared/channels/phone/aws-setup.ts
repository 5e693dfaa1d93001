import { PinpointSMSVoiceV2Client } from '@aws-sdk/client-pinpoint-sms-voice-v2';
import {
  type AwsCallOptions,
  type AwsSmsOptions,
  type CopyMedia,
  createAwsCallProvider,
  createAwsSmsProvider,
} from '../../../../shared/channels/phone/aws/aws.ts';
import { startFakeAwsSms } from '../../../support/fakes/aws-sms.ts';
import { HANG_MS } from '../../../support/until.ts';
import { started } from './deliveries.ts';

const NOW_MS = Date.parse('2026-11-20T10:00:00Z');

export const copyToS3: CopyMedia = async (url) => ({ s3Url: `s3://media/${url.split('/').at(-1)}` });

/** The SMS client, without retries. */
export function clientOf(endpoint: string, timeoutMs = HANG_MS): PinpointSMSVoiceV2Client {
  return new PinpointSMSVoiceV2Client({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' },
    maxAttempts: 1,
    requestHandler: { requestTimeout: timeoutMs, connectionTimeout: timeoutMs, throwOnRequestTimeout: true },
  });
}

/** A fake AWS that ends with the test, and the providers that speak to it. */
export async function fakeAws() {
  const fake = await started(startFakeAwsSms());
  const common = { client: clientOf(fake.url), clock: { now: () => NOW_MS } };
  return {
    fake,
    client: common.client,
    sms: (options: Partial<AwsSmsOptions> = {}) =>
      createAwsSmsProvider({ ...common, copyMedia: copyToS3, ...options }),
    call: (options: Partial<AwsCallOptions> = {}) => createAwsCallProvider({ ...common, ...options }),
  };
}
