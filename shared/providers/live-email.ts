import { createFairClient } from '../http-client/fair-client.ts';
import { clock, jitter, resolve } from '../runtime/dependency.ts';
import { guardedClient } from './http-clients.ts';
import { type BuildProvider, requireFrom } from './provider-source.ts';

/** A third of a batch: the rest stays free for other accounts. */
const FETCHES_AT_ONCE_MAX = 3;

/** Makes email over the provider of an entry; all of them fetch attachments through one client. */
export function createLiveEmail(): BuildProvider<'EMAIL'> {
  const guarded = createFairClient(resolve(guardedClient), {
    atOnceMax: FETCHES_AT_ONCE_MAX,
    now: resolve(clock).now,
  });
  return async (entry, source) => {
    if (entry.provider === 'ses') {
      const { createSesEmail } = await import('./aws-email.ts');
      return createSesEmail(guarded, resolve(jitter));
    }
    const url = await requireFrom('SMTP_URL', source, entry);
    const { createSmtpProvider } = await import('../channels/email/smtp.ts');
    if (!source.isOwn) return createSmtpProvider({ url, guarded });
    const { createPublicHost } = await import('./public-host.ts');
    const { ownShare } = await import('./own-share.ts');
    const provider = createSmtpProvider({ url, guarded, findAddress: createPublicHost() });
    return ownShare(provider, resolve(clock).now);
  };
}
