import { dependency } from '../runtime/dependency.ts';
import { emailProviderName } from './email-provider-name.ts';

/** Addresses that the mail provider refuses to send to, beside those suppressed on users. */
export type SuppressionList = {
  /** Takes an address off the list; one that is not on it stays off. Throws PROVIDER_ERROR. */
  remove(address: string): Promise<void>;
};

/** SES keeps a list of its own; plain SMTP and the sandbox have none. */
export const suppressionList = dependency<SuppressionList>('suppressionList', () => {
  if (emailProviderName() !== 'ses') return { remove: async () => {} };
  const loaded = import('./ses-suppression-list.ts').then((module) => module.createSesSuppressionList());
  return { remove: async (address) => (await loaded).remove(address) };
});
