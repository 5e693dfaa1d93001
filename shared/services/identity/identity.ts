import { lazily } from '../../runtime/async/lazily.ts';
import { choiceSetting } from '../../runtime/config.ts';
import { type Dependency, dependency } from '../../runtime/dependency.ts';
import type { Identity } from './identity-port.ts';

/** In the sandbox everybody can sign in, the subject of who is no member is their address, and emails are returned in the response. */
export const sandboxIdentity: Identity = {
  register: async () => ({ subject: undefined }),
  invite: async ({ token }) => ({ revealed: token }),
  confirmEmail: async ({ url }) => ({ revealed: url }),
  hasEmail: async ({ subject, email }) => subject.toLowerCase() === email.toLowerCase(),
  reportChange: async () => {},
  remove: async () => {},
  changeEmail: async () => {},
};

export const identity: Dependency<Identity> = dependency('identity', () => {
  if (choiceSetting('IDENTITY_PROVIDER') === 'sandbox') return sandboxIdentity;
  return lazily(async () => (await import('./cognito.ts')).createCognitoIdentity(), {
    register: true,
    invite: true,
    confirmEmail: true,
    hasEmail: true,
    reportChange: true,
    remove: true,
    changeEmail: true,
  });
});
