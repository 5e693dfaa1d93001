import { describeFields } from '../../shared/schemas/field-texts.ts';
import { getAccountMetadataRoute } from './routes.ts';

describeFields(getAccountMetadataRoute.answer.body, {
  userAccountMetadata: 'What a browser needs to know of the account.',
});
