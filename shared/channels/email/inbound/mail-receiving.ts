import { choiceSetting } from '../../../runtime/config.ts';
import type { EmailDelivery } from '../../channel.ts';
import { domainProviderName, findMailDomain } from '../mail-domain.ts';

/** The mail domain if this deployment receives its email: `MAIL_RECEIVING` on, and `MAIL_DOMAIN`. */
export function findReceivingDomain(): string | undefined {
  return choiceSetting('MAIL_RECEIVING') === 'on' ? findMailDomain() : undefined;
}

/**
 * The domain of the return path over plain SMTP: the subdomain of the sender's verified domain, so that SPF aligns with the
 * sender, once its MX leads to this service (`DOMAIN_PROVIDER=dns`). Undefined: no bounces are received. SES writes its own.
 */
export function findReturnDomain({ dkim }: Pick<EmailDelivery, 'dkim'>): string | undefined {
  const receiving = findReceivingDomain();
  const own = domainProviderName() === 'dns' ? dkim?.mailFrom : undefined;
  return receiving && (own ?? receiving);
}
