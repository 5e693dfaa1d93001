import { describeFields } from '../../shared/schemas/fields/field-texts.ts';
import { getStatusRoute } from './routes.ts';

describeFields(getStatusRoute.answer.body, {
  message: 'Confirms that the service is running.',
});
