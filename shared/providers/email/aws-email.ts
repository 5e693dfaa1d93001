import { SESv2Client } from '@aws-sdk/client-sesv2';
import type { ChannelProvider } from '../../channels/channel.ts';
import { createSesProvider, sesClientOptions } from '../../channels/email/ses/ses.ts';
import type { FairClient } from '../../http-client/fair-client.ts';
import { findSetting } from '../../runtime/config.ts';
import { defined } from '../../runtime/values/defined.ts';

/** Email over this deployment's SES; the configuration sets bring the receipts, one of them with opens and clicks. */
export function createSesEmail(guarded: FairClient, random: () => number): ChannelProvider<'EMAIL'> {
  const configurationSetName = findSetting('SES_CONFIGURATION_SET');
  return createSesProvider({
    client: new SESv2Client(sesClientOptions()),
    guarded,
    random,
    ...defined({ configurationSetName, trackedSetName: findSetting('SES_TRACKED_CONFIGURATION_SET') }),
  });
}
