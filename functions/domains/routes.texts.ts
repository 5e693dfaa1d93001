import { describeFields } from '../../shared/schemas/fields/field-texts.ts';
import { createDomainRoute, deleteDomainRoute } from './routes.ts';

describeFields(createDomainRoute.body, {
  sender: 'The domain only, such as example.com.',
});

describeFields(deleteDomainRoute.pathParameters, {
  sender: 'The domain.',
});
