import type { ChannelProvider } from '../channels/channel.ts';
import { createFairClient } from '../http-client/fair-client.ts';
import { numberSetting } from '../runtime/config.ts';
import { type Dependency, dependency, resolve } from '../runtime/dependency.ts';
import { emailProviderName } from './email-provider-name.ts';
import { guardedClient } from './http-clients.ts';
import { lazyProvider } from './lazy-provider.ts';
import { paced } from './paced.ts';
import { sandboxProvider } from './sandbox.ts';
import { requireSecret } from './secrets.ts';

/** A third of a batch: the rest of it stays free for other accounts. */
const FETCHES_AT_ONCE_MAX = 3;

/** The deployment's EMAIL provider. */
export const emailProvider: Dependency<ChannelProvider<'EMAIL'>> = dependency('emailProvider', () => {
  const guarded = createFairClient(resolve(guardedClient), { atOnceMax: FETCHES_AT_ONCE_MAX });
  const name = emailProviderName();
  if (name === 'sandbox') return sandboxProvider('EMAIL');
  const live =
    name === 'smtp'
      ? lazyProvider('smtp', async () => {
          const { createSmtpProvider } = await import('../channels/email/smtp.ts');
          return createSmtpProvider({ url: await requireSecret('SMTP_URL'), guarded });
        })
      : lazyProvider('ses', async () => {
          const { createSesEmail } = await import('./aws-email.ts');
          return createSesEmail(guarded);
        });
  // The rate SES grants an account that has just left its sandbox. Attachments take 10 s at most, SMTP 15 s.
  return paced<'EMAIL'>(live, numberSetting('EMAIL_PER_SECOND', 14), { deliveryMs: 27_000 });
});
