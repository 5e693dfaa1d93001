import { ApiKey } from './api-key.ts';
import { describeFields } from './field-texts.ts';

describeFields(ApiKey, {
  id: 'The ID of the key, as in DELETE /keys/{keyId}.',
  key: 'The key itself: treat it as a secret.',
  keyType: 'Kind of key: secret for servers, public for browsers and apps.',
  environmentId: 'The environment to which the key is bound; absent if it is not bound.',
  accountId: 'The account.',
  name: "The key's name, such as its purpose.",
  revoked: 'True if the key no longer works.',
  scopes: 'What the key may do: send, read, manage.',
  issuedBy: 'The member who issued the key.',
  revokedAt: 'When the key was revoked.',
  revokedBy: 'The member who revoked it.',
  createdAt: 'Creation time.',
  lastUsedAt: 'Time the key was last used, to about five minutes.',
});
