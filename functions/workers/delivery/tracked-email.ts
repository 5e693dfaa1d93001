import type { EmailDelivery } from '../../../shared/channels/channel.ts';
import { trackedHtml } from '../../../shared/channels/email/tracked-html.ts';
import { signer } from '../../../shared/database/entities/deployment-secret.ts';
import { emailProviderName } from '../../../shared/providers/email-provider-name.ts';
import { choiceSetting, findSetting } from '../../../shared/runtime/config.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import {
  TRACKING_TOKEN_LENGTH_MAX,
  writeClickToken,
  writeOpenToken,
} from '../../../shared/tokens/tracking-token.ts';

/**
 * The delivery with our pixel and links where the provider is plain SMTP, which tells of no opens and clicks. Our own
 * unsubscribe links stay, and links too long for a token. Needs `PUBLIC_BASE_URL`; `EMAIL_TRACKING` turns it off.
 */
export async function tracked(delivery: EmailDelivery): Promise<EmailDelivery> {
  const base = findSetting('PUBLIC_BASE_URL');
  if (
    emailProviderName() !== 'smtp' ||
    !base ||
    choiceSetting('EMAIL_TRACKING', ['on', 'off'], 'on') === 'off'
  )
    return delivery;
  const { trackingId, html } = delivery;
  const signing = resolve(signer);
  return {
    ...delivery,
    html: await trackedHtml(html, {
      openUrl: `${base}/track/open/${await writeOpenToken(signing, trackingId)}`,
      clickUrl: async (link, tags) => {
        if (link.startsWith(`${base}/unsubscribe/`)) return undefined;
        const token = await writeClickToken(signing, { trackingId, link, tags });
        return token.length > TRACKING_TOKEN_LENGTH_MAX ? undefined : `${base}/track/click/${token}`;
      },
    }),
  };
}
