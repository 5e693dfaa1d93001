import { Address } from './address.ts';
import { describeFields } from './field-texts.ts';

describeFields(Address, {
  fullAddress: 'The full email address.',
  prefix: 'The part before the @.',
  domain: 'The part after the @.',
  type: "builtin on the service's mail domain, custom on a domain of the account.",
  createdAt: 'Creation time.',
  displayName: 'The name that recipients see.',
});
