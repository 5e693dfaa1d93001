import { clock, jitter, resolve } from '../../runtime/dependency.ts';
import { type BuildProvider, requireFrom } from '../settings/provider-source.ts';
import { attachmentClient } from './attachment-client.ts';

/** Makes email over the provider of an entry; all of them fetch attachments through one client. */
export function createLiveEmail(): BuildProvider<'EMAIL'> {
  const guarded = resolve(attachmentClient);
  return async (entry, source) => {
    if (entry.provider === 'ses') {
      const { createSesEmail } = await import('./aws-email.ts');
      return createSesEmail(guarded, resolve(jitter));
    }
    const url = await requireFrom('SMTP_URL', source, entry);
    const { createSmtpProvider } = await import('../../channels/email/smtp/smtp.ts');
    if (!source.isOwn) return createSmtpProvider({ url, guarded });
    const { createPublicHost } = await import('../settings/public-host.ts');
    const { ownShare } = await import('../order/own-share.ts');
    const provider = createSmtpProvider({ url, guarded, findAddress: createPublicHost() });
    return ownShare(provider, resolve(clock).now);
  };
}
