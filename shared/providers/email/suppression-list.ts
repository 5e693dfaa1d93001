import { lazily } from '../../runtime/async/lazily.ts';
import { dependency } from '../../runtime/dependency.ts';
import { isInOrder } from '../order/provider-order.ts';
import type { SuppressionList } from './ses-suppression-list.ts';

/** SES has its own list; plain SMTP and the sandbox have none. */
export const suppressionList = dependency<SuppressionList>('suppressionList', () => {
  if (!isInOrder('EMAIL_PROVIDER', 'ses')) return { remove: async () => {} };
  return lazily(async () => (await import('./ses-suppression-list.ts')).createSesSuppressionList(), {
    remove: true,
  });
});
