import type { MailHosts } from '../../domain/domains/sender-domain.ts';
import { choiceSetting, findSetting, requireSetting } from '../../runtime/config.ts';
import { toAsciiDomain } from './address.ts';

/** Local part of the fallback sender, on the service's own mail domain. */
export const FALLBACK_PREFIX = 'notifications';

/**
 * The service's own mail domain: `MAIL_DOMAIN`, in lower-case ASCII; undefined if the deployment has none.
 */
export function findMailDomain(): string | undefined {
  const domain = findSetting('MAIL_DOMAIN');
  return domain === undefined ? undefined : toAsciiDomain(domain);
}

/** `DOMAIN_PROVIDER`: ses; dns, which looks the records up itself, for senders over SMTP; or sandbox. */
export const domainProviderName = () => choiceSetting('DOMAIN_PROVIDER');

/**
 * The hosts that sender domains point to: `MAIL_FEEDBACK_HOST`, `MAIL_SPF_INCLUDE` and, where email is received,
 * `MAIL_INBOUND_HOST`. Defaults to SES's hosts in the deployment's region; other providers use names below `MAIL_DOMAIN`.
 */
export function mailHosts(): MailHosts {
  const hosts = domainProviderName() === 'ses' ? sesHosts() : ownHosts();
  const isReceiving = choiceSetting('MAIL_RECEIVING') === 'on';
  return {
    feedback: findSetting('MAIL_FEEDBACK_HOST') ?? hosts.feedback(),
    spf: findSetting('MAIL_SPF_INCLUDE') ?? hosts.spf(),
    ...(isReceiving ? { inbound: findSetting('MAIL_INBOUND_HOST') ?? hosts.inbound() } : {}),
  };
}

type HostNames = Record<keyof MailHosts, () => string>;

function sesHosts(): HostNames {
  const region = findSetting('AWS_REGION') ?? 'us-east-1';
  return {
    feedback: () => `feedback-smtp.${region}.amazonses.com`,
    spf: () => 'amazonses.com',
    inbound: () => `inbound-smtp.${region}.amazonaws.com`,
  };
}

function ownHosts(): HostNames {
  const below = (name: string) => () => `${name}.${toAsciiDomain(requireSetting('MAIL_DOMAIN'))}`;
  return { feedback: below('feedback'), spf: below('_spf'), inbound: below('inbound') };
}
