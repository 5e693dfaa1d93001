import { ApiKey } from './api-key.ts';
import { describeFields } from './field-texts.ts';

describeFields(ApiKey, {
  id: 'The ID of the key, as in DELETE /keys/{keyId}.',
  key: 'The key itself: treat it as a secret.',
  keyType: 'Where the key may be used: secret on servers, public in browsers and apps.',
  environmentId: 'The environment to which the key is bound; absent if it is not bound.',
  accountId: 'The account.',
  name: 'What the key is for.',
  revoked: 'Whether the key no longer works.',
  createdAt: 'When it was created.',
  lastUsedAt: 'When the key was last used, to the day.',
});
