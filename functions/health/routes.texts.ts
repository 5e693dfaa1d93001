import { describeFields } from '../../shared/schemas/fields/field-texts.ts';
import { getStatusRoute } from './routes.ts';

describeFields(getStatusRoute.response.body, {
  message: 'Confirms that the service is running.',
});
