import { choiceSetting } from '../../runtime/config.ts';
import { findMailDomain } from './mail-domain.ts';

/** The mail domain if this deployment receives its email: `MAIL_RECEIVING` on, and `MAIL_DOMAIN`. */
export function findReceivingDomain(): string | undefined {
  return choiceSetting('MAIL_RECEIVING') === 'on' ? findMailDomain() : undefined;
}
