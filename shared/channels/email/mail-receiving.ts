import { choiceSetting } from '../../runtime/config.ts';
import { findMailDomain } from './mail-domain.ts';

/** The mail domain when mail to it reaches this deployment: `MAIL_RECEIVING` on, and `MAIL_DOMAIN`. */
export function findReceivingDomain(): string | undefined {
  return choiceSetting('MAIL_RECEIVING') === 'on' ? findMailDomain() : undefined;
}
