import type { EmailDelivery } from '../channels/channel.ts';
import { trackedHtml } from '../channels/email/tracked-html.ts';
import { signer } from '../database/entities/deployment-secret.ts';
import { choiceSetting, findSetting } from '../runtime/config.ts';
import { resolve } from '../runtime/dependency.ts';
import { TRACKING_TOKEN_LENGTH_MAX, writeClickToken, writeOpenToken } from '../tokens/tracking-token.ts';

/**
 * The delivery with this service's pixel and links, for a provider that does not report opens and clicks. The
 * service's own unsubscribe links are unchanged, and so are links too long for a token. Needs
 * `PUBLIC_BASE_URL`; `EMAIL_TRACKING` turns it off.
 */
export async function tracked(delivery: EmailDelivery): Promise<EmailDelivery> {
  const base = findSetting('PUBLIC_BASE_URL');
  if (!base || choiceSetting('EMAIL_TRACKING') === 'off') return delivery;
  const { trackingId, html } = delivery;
  const signing = resolve(signer);
  return {
    ...delivery,
    html: await trackedHtml(html, {
      openUrl: `${base}/track/open/${await writeOpenToken(signing, trackingId)}`,
      clickUrl: async (link, tags) => {
        if ([`${base}/unsubscribe/`, `${base}/preferences/`].some((own) => link.startsWith(own)))
          return undefined;
        const token = await writeClickToken(signing, { trackingId, link, tags });
        return token.length > TRACKING_TOKEN_LENGTH_MAX ? undefined : `${base}/track/click/${token}`;
      },
    }),
  };
}
