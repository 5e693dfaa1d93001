import { describeFields } from '../../shared/schemas/fields/field-texts.ts';
import { createAddressRoute, listAddressesRoute, updateAddressRoute } from './routes.ts';

describeFields(listAddressesRoute.response.body, {
  addresses: 'The inboxes of the account.',
});

describeFields(createAddressRoute.body, {
  prefix: 'The part before the @.',
  domain: "A verified domain of the account; without it, the service's mail domain.",
  displayName: 'The name that recipients see.',
});

describeFields(createAddressRoute.response.body, {
  address: 'The inbox.',
});

describeFields(updateAddressRoute.body, {
  fullAddress: 'The full email address.',
  displayName: 'The name that recipients see.',
});
