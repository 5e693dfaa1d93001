import { choiceSetting } from '../../runtime/config.ts';
import { type Dependency, dependency } from '../../runtime/dependency.ts';

/** What may be shown in the answer itself: in the sandbox nobody reads mail. */
export type Revealed = { revealed?: string };

/** Where people sign in: Cognito, or a sandbox. Calls throw PROVIDER_ERROR. */
export type Identity = {
  /** Lets a person sign in; answers the subject of their access tokens, unless that is known with their first token. */
  register(person: { email: string }): Promise<{ subject: string | undefined }>;
  /** Lets a person sign in and sends them the invitation's token. */
  invite(invitation: { email: string; accountName: string; token: string }): Promise<Revealed>;
  /** Sends the link that confirms a new address, to that address. */
  confirmEmail(request: { email: string; url: string }): Promise<Revealed>;
  /** Makes the confirmed address the one the person signs in with. */
  changeEmail(person: { subject: string; email: string }): Promise<void>;
};

/** In the sandbox everybody signs in, and what would be mailed is answered. */
export const sandboxIdentity: Identity = {
  register: async () => ({ subject: undefined }),
  invite: async ({ token }) => ({ revealed: token }),
  confirmEmail: async ({ url }) => ({ revealed: url }),
  changeEmail: async () => {},
};

/** The deployment's identity provider: `IDENTITY_PROVIDER` cognito or sandbox. */
export const identity: Dependency<Identity> = dependency('identity', () => {
  if (choiceSetting('IDENTITY_PROVIDER', ['cognito', 'sandbox'], 'cognito') === 'sandbox')
    return sandboxIdentity;
  const loaded = import('./cognito.ts').then((module) => module.createCognitoIdentity());
  return {
    register: async (person) => (await loaded).register(person),
    invite: async (invitation) => (await loaded).invite(invitation),
    confirmEmail: async (request) => (await loaded).confirmEmail(request),
    changeEmail: async (person) => (await loaded).changeEmail(person),
  };
});
