import { describeFields } from '../../shared/schemas/field-texts.ts';
import { createApiKeyRoute, listApiKeysRoute, revokeApiKeyRoute } from './routes.ts';

describeFields(listApiKeysRoute.answer.body, {
  keys: 'The keys of the account, revoked ones too.',
});

describeFields(createApiKeyRoute.body, {
  keyType: 'Where the key may be used: secret on servers, public in browsers and apps.',
  environmentId: 'The environment to bind the key to.',
  name: 'What the key is for.',
});

describeFields(revokeApiKeyRoute.pathParameters, {
  keyId: 'The ID of the key.',
});

describeFields(revokeApiKeyRoute.answer.body, {
  message: 'A text that states the result.',
});
