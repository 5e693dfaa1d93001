import { dependency } from '../runtime/dependency.ts';
import { emailProviderName } from './email-provider-name.ts';
import type { SuppressionList } from './suppression-list-port.ts';

/** SES keeps a list of its own; plain SMTP and the sandbox have none. */
export const suppressionList = dependency<SuppressionList>('suppressionList', () => {
  if (emailProviderName() !== 'ses') return { remove: async () => {} };
  const loaded = import('./ses-suppression-list.ts').then((module) => module.createSesSuppressionList());
  return { remove: async (address) => (await loaded).remove(address) };
});
