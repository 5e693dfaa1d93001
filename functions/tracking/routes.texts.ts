import { describeFields } from '../../shared/schemas/fields/field-texts.ts';
import { trackOpenRoute } from './routes.ts';

describeFields(trackOpenRoute.pathParameters, {
  token: 'The signed token of the link.',
});
