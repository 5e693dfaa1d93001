import { describeFields } from '../../shared/schemas/fields/field-texts.ts';
import { createApiKeyRoute, listApiKeysRoute, revokeApiKeyRoute } from './routes.ts';

describeFields(listApiKeysRoute.response.body, {
  keys: 'The keys of the account, including revoked keys.',
});

describeFields(createApiKeyRoute.body, {
  keyType: 'Kind of key: secret for servers, public for browsers and apps.',
  environmentId: 'The environment to bind the key to.',
  name: "The key's name, such as its purpose.",
  scopes: 'What the key may do: send, read, manage; all of them unless you say otherwise.',
});

describeFields(revokeApiKeyRoute.pathParameters, {
  keyId: 'The ID of the key.',
});
