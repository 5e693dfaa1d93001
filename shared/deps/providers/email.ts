import type { ChannelProvider } from '../../channels/channel.ts';
import { type Dependency, dependency, resolve } from '../dependency.ts';
import { guardedClient } from '../http-clients.ts';
import { requireSecret } from '../secrets.ts';
import { emailProviderName } from './email-provider-name.ts';
import { lazyProvider } from './lazy-provider.ts';
import { sandboxProvider } from './sandbox.ts';

/** The deployment's EMAIL provider. */
export const emailProvider: Dependency<ChannelProvider<'EMAIL'>> = dependency('emailProvider', () => {
  const guarded = resolve(guardedClient);
  switch (emailProviderName()) {
    case 'sandbox':
      return sandboxProvider('EMAIL');
    case 'smtp':
      return lazyProvider('smtp', async () => {
        const { createSmtpProvider } = await import('../../channels/email/smtp.ts');
        return createSmtpProvider({ url: await requireSecret('SMTP_URL'), guarded });
      });
    case 'ses':
      return lazyProvider('ses', async () => {
        const { createSesEmail } = await import('../../integrations/aws-email.ts');
        return createSesEmail(guarded);
      });
  }
});
