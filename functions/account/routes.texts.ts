import { describeFields } from '../../shared/schemas/fields/field-texts.ts';
import { getAccountMetadataRoute } from './routes.ts';

describeFields(getAccountMetadataRoute.response.body, {
  userAccountMetadata: 'The account data that a browser needs.',
});
