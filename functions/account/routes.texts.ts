import { describeFields } from '../../shared/schemas/fields/field-texts.ts';
import { getAccountMetadataRoute } from './routes.ts';

describeFields(getAccountMetadataRoute.answer.body, {
  userAccountMetadata: 'The account data that a browser needs.',
});
