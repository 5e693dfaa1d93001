import { describeFields } from '../fields/field-texts.ts';
import { ApiKey } from './api-key.ts';

describeFields(ApiKey, {
  id: 'The ID of the key, as in DELETE /keys/{keyId}.',
  key: 'The key itself: treat it as a secret.',
  keyType: 'Kind of key: secret for servers, public for browsers and apps.',
  environmentId: 'The environment that the key is bound to; absent if it is not bound.',
  accountId: 'The account.',
  name: "The key's name, such as its purpose.",
  revoked: 'True if the key no longer works.',
  scopes:
    'What the key may do; all three unless specified. send: endpoints that send. read: endpoints that only read. manage: all others, keys included.',
  issuedBy: 'The member who issued the key.',
  revokedAt: 'When the key was revoked.',
  revokedBy: 'The member who revoked it.',
  lastUsedAt: 'Time the key was last used, to about five minutes.',
});
