import { describeFields } from '../fields/field-texts.ts';
import { Address } from './address.ts';

describeFields(Address, {
  fullAddress: 'The full email address.',
  prefix: 'The part before the @.',
  domain: 'The part after the @.',
  type: "builtin on the service's mail domain, custom on a domain of the account.",
  displayName: 'The name that recipients see.',
});
