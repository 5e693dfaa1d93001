import { describeFields } from '../../shared/schemas/fields/field-texts.ts';
import { saveProviderOrderRoute } from './routes.ts';

describeFields(saveProviderOrderRoute.pathParameters, {
  channel: 'The channel.',
});
