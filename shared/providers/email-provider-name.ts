import { choiceSetting } from '../runtime/config.ts';

/** `EMAIL_PROVIDER`: ses, smtp (with `SMTP_URL`) or sandbox. */
export const emailProviderName = () => choiceSetting('EMAIL_PROVIDER', ['ses', 'smtp', 'sandbox'], 'ses');
