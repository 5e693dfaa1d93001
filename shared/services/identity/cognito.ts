import {
  AdminCreateUserCommand,
  AdminDeleteUserCommand,
  AdminGetUserCommand,
  AdminUpdateUserAttributesCommand,
  type AttributeType,
  CognitoIdentityProviderClient,
  UserNotFoundException,
  UsernameExistsException,
} from '@aws-sdk/client-cognito-identity-provider';
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { isAwsFault } from '../../http-client/aws-fault.ts';
import { findSetting, requireSetting } from '../../runtime/config.ts';
import { AppError } from '../../runtime/errors.ts';
import { requestLimits } from '../../runtime/request-limits.ts';
import type { Identity } from './identity-port.ts';

/** The clients and settings of the adapter; tests put others in their place. */
export type CognitoOptions = {
  cognito: CognitoIdentityProviderClient;
  ses: SESv2Client;
  userPoolId: string;
  /** Sender of invitations and confirmations. */
  mailFrom: string | undefined;
  /** People sign in on this page to accept an invitation; the token follows as `?invitation=`. */
  signInUrl: string | undefined;
};

const CLIENT = { maxAttempts: 3, requestHandler: requestLimits() };

/**
 * People of a Cognito user pool, by `USER_POOL_ID`. Cognito emails new people their first password;
 * invitations and confirmations are sent over SES from `SYSTEM_MAIL_FROM`, with `SIGN_IN_URL` if there is
 * such a page.
 */
export function createCognitoIdentity(options: CognitoOptions = deployed()): Identity {
  const { cognito, ses, userPoolId, mailFrom, signInUrl } = options;

  async function mail(to: string, subject: string, lines: string[]): Promise<void> {
    if (!mailFrom) throw providerError('ses', 'NOT_CONFIGURED');
    const text = { Data: lines.join('\n\n'), Charset: 'UTF-8' };
    const command = new SendEmailCommand({
      FromEmailAddress: mailFrom,
      Destination: { ToAddresses: [to] },
      Content: { Simple: { Subject: { Data: subject, Charset: 'UTF-8' }, Body: { Text: text } } },
    });
    await called('ses', () => ses.send(command));
  }

  /** The attributes of a new person; undefined when the pool has one with this email. */
  async function create(email: string): Promise<AttributeType[] | undefined> {
    const command = new AdminCreateUserCommand({
      UserPoolId: userPoolId,
      Username: email,
      UserAttributes: [
        { Name: 'email', Value: email },
        { Name: 'email_verified', Value: 'true' },
      ],
      DesiredDeliveryMediums: ['EMAIL'],
    });
    try {
      return (await cognito.send(command)).User?.Attributes ?? [];
    } catch (error) {
      if (error instanceof UsernameExistsException) return undefined;
      throw error;
    }
  }

  /** Sends a new first password, because the previous password expires after seven days and cannot be changed without this. */
  async function resend(email: string): Promise<void> {
    const command = new AdminCreateUserCommand({
      UserPoolId: userPoolId,
      Username: email,
      MessageAction: 'RESEND',
      DesiredDeliveryMediums: ['EMAIL'],
    });
    await cognito.send(command);
  }

  /** Lets a person sign in, who may be new, known, or invited and never signed in. Returns their attributes. */
  async function admit(email: string): Promise<AttributeType[]> {
    const created = await create(email);
    if (created) return created;
    const command = new AdminGetUserCommand({ UserPoolId: userPoolId, Username: email });
    const { UserStatus, UserAttributes = [] } = await cognito.send(command);
    if (UserStatus === 'FORCE_CHANGE_PASSWORD') await resend(email);
    return UserAttributes;
  }

  return {
    async register({ email }) {
      const attributes = await called('cognito', () => admit(email));
      return { subject: attributes.find(({ Name }) => Name === 'sub')?.Value };
    },

    async invite({ email, accountName, token }) {
      await called('cognito', () => admit(email));
      await mail(email, `Invitation to ${accountName}`, [
        `You are invited to ${accountName}. Sign in and accept within seven days.`,
        signInUrl ? `${signInUrl}?invitation=${encodeURIComponent(token)}` : `Your invitation: ${token}`,
      ]);
      return {};
    },

    async confirmEmail({ email, url }) {
      await mail(email, 'Confirm your new address', [
        'Open this page and confirm that this is your address. The link is valid for one day.',
        url,
        'If you did not request it, ignore this email.',
      ]);
      return {};
    },

    async hasEmail({ subject, email }) {
      const command = new AdminGetUserCommand({ UserPoolId: userPoolId, Username: subject });
      try {
        const { UserAttributes = [] } = await cognito.send(command);
        const values = new Map(UserAttributes.map(({ Name, Value }) => [Name, Value]));
        const isConfirmed = values.get('email_verified') === 'true';
        return isConfirmed && values.get('email')?.toLowerCase() === email.toLowerCase();
      } catch (error) {
        if (error instanceof UserNotFoundException) return false;
        if (isAwsFault(error)) throw providerError('cognito', error.name, error);
        throw error;
      }
    },

    async reportChange({ email, newEmail }) {
      await mail(email, 'Your address was changed', [
        `You now sign in with ${newEmail} instead of this address.`,
        'If you did not change it, ask an administrator of your account to remove the member.',
      ]);
    },

    async remove({ email }) {
      const command = new AdminDeleteUserCommand({ UserPoolId: userPoolId, Username: email });
      try {
        await cognito.send(command);
      } catch (error) {
        if (error instanceof UserNotFoundException) return;
        if (isAwsFault(error)) throw providerError('cognito', error.name, error);
        throw error;
      }
    },

    async changeEmail({ subject, email }) {
      const command = new AdminUpdateUserAttributesCommand({
        UserPoolId: userPoolId,
        Username: subject,
        UserAttributes: [
          { Name: 'email', Value: email },
          { Name: 'email_verified', Value: 'true' },
        ],
      });
      await called('cognito', () => cognito.send(command));
    },
  };
}

function deployed(): CognitoOptions {
  return {
    cognito: new CognitoIdentityProviderClient(CLIENT),
    ses: new SESv2Client(CLIENT),
    userPoolId: requireSetting('USER_POOL_ID'),
    mailFrom: findSetting('SYSTEM_MAIL_FROM'),
    signInUrl: findSetting('SIGN_IN_URL'),
  };
}

async function called<T>(provider: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!isAwsFault(error)) throw error;
    throw providerError(provider, error.name, error);
  }
}

function providerError(provider: string, providerCode: string, cause?: unknown): AppError {
  return new AppError('PROVIDER_ERROR', {
    message: 'The identity or email service rejected or failed the request.',
    fix: 'Check USER_POOL_ID and SYSTEM_MAIL_FROM of the deployment, then try again.',
    provider,
    providerCode,
    cause,
  });
}
