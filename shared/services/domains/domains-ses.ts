import {
  AlreadyExistsException,
  BadRequestException,
  CreateEmailIdentityCommand,
  DeleteEmailIdentityCommand,
  GetEmailIdentityCommand,
  type GetEmailIdentityResponse,
  NotFoundException,
  PutEmailIdentityDkimSigningAttributesCommand,
  PutEmailIdentityMailFromAttributesCommand,
  type SESv2Client,
} from '@aws-sdk/client-sesv2';
import type { DomainFinding } from '../../domain/domain-verification.ts';
import { mailFromOf } from '../../domain/sender-domain.ts';
import { privateKeyBase64 } from '../../encryption/dkim-keys.ts';
import { defined } from '../../runtime/defined.ts';
import { type DnsResolver, DnsUnavailable } from './dns-resolver.ts';
import type { DomainToVerify, DomainVerifier } from './domain-verifier.ts';
import { isKeyPublished } from './domains-dns.ts';

/** Dependencies of verification over SES. */
export type SesVerifierOptions = {
  client: SESv2Client;
  resolver: DnsResolver;
  configurationSetName?: string;
  /** Waits its turn for one call: SES accepts one of these per second. */
  turn: () => Promise<void>;
};

/**
 * Verification over SES v2 with the account's own keys (BYODKIM). SES has one identity per name for all
 * accounts, so an account's key is registered only once DNS publishes that key: nobody can take over, or
 * block, the verification of a domain they do not control. From then on, SES's status counts.
 */
export function createSesVerifier(options: SesVerifierOptions): DomainVerifier {
  const { client, resolver, turn } = options;
  const identities = identityCalls(options);

  async function findIdentity(sender: string): Promise<GetEmailIdentityResponse | undefined> {
    await turn();
    try {
      return await client.send(new GetEmailIdentityCommand({ EmailIdentity: sender }));
    } catch (error) {
      if (error instanceof NotFoundException) return undefined;
      throw error;
    }
  }

  return {
    name: 'ses',
    async verify(domain) {
      try {
        const isPublished = domain.isVerified || (await isKeyPublished(resolver, domain));
        if (!isPublished) return waiting(domain);
      } catch (error) {
        if (error instanceof DnsUnavailable) return { kind: 'unknown' };
        throw error;
      }
      if (!domain.isRegistered) await identities.register(domain);
      const identity = await findIdentity(domain.sender);
      return identity && isOurs(identity, domain) ? findingOf(identity) : waiting(domain);
    },
    async remove(sender) {
      await turn();
      try {
        await client.send(new DeleteEmailIdentityCommand({ EmailIdentity: sender }));
      } catch (error) {
        if (!(error instanceof NotFoundException)) throw error;
      }
    },
  };
}

/** Not registered: the next check registers, if the identity has another account's key or does not exist. */
function waiting(domain: DomainToVerify): DomainFinding {
  const status = domain.isVerified ? 'TEMPORARY_FAILURE' : 'PENDING';
  return { kind: 'known', status, isRegistered: false };
}

/** For BYODKIM keys, SES returns the selector as the only token, or none. */
function isOurs({ DkimAttributes }: GetEmailIdentityResponse, { selector }: DomainToVerify): boolean {
  const tokens = DkimAttributes?.Tokens ?? [];
  const isExternal = (DkimAttributes?.SigningAttributesOrigin ?? 'EXTERNAL') === 'EXTERNAL';
  return isExternal && (tokens.length === 0 || tokens.includes(selector));
}

function findingOf(identity: GetEmailIdentityResponse): DomainFinding {
  const { VerificationStatus = 'PENDING', DkimAttributes, MailFromAttributes } = identity;
  const mailFrom = MailFromAttributes?.MailFromDomainStatus;
  const tokens = DkimAttributes?.Tokens;
  const dkim = DkimAttributes?.Status ?? VerificationStatus;
  return {
    kind: 'known',
    status: VerificationStatus === 'SUCCESS' ? dkim : VerificationStatus,
    ...defined({
      mailFromDomainStatus: mailFrom,
      verificationTokens: tokens?.length ? tokens : undefined,
    }),
    isRegistered: true,
  };
}

function identityCalls({ client, configurationSetName, turn }: SesVerifierOptions) {
  async function giveKey(domain: DomainToVerify, privateKey: string): Promise<void> {
    const attributes = {
      DomainSigningSelector: domain.selector,
      DomainSigningPrivateKey: privateKey,
    };
    await turn();
    try {
      await client.send(
        new CreateEmailIdentityCommand({
          EmailIdentity: domain.sender,
          DkimSigningAttributes: attributes,
          ...defined({ ConfigurationSetName: configurationSetName }),
        }),
      );
    } catch (error) {
      if (!(error instanceof AlreadyExistsException)) throw error;
      await turn();
      await client.send(
        new PutEmailIdentityDkimSigningAttributesCommand({
          EmailIdentity: domain.sender,
          SigningAttributesOrigin: 'EXTERNAL',
          SigningAttributes: attributes,
        }),
      );
    }
  }

  return {
    /** Gives SES the key and the MAIL FROM subdomain; repeatable. */
    async register(domain: DomainToVerify): Promise<void> {
      const pem = await domain.privateKeyPem();
      try {
        await giveKey(domain, privateKeyBase64(pem, 'pkcs1'));
      } catch (error) {
        if (!(error instanceof BadRequestException)) throw error;
        await giveKey(domain, privateKeyBase64(pem, 'pkcs8'));
      }
      await turn();
      await client.send(
        new PutEmailIdentityMailFromAttributesCommand({
          EmailIdentity: domain.sender,
          MailFromDomain: mailFromOf(domain.sender),
          BehaviorOnMxFailure: 'USE_DEFAULT_VALUE',
        }),
      );
    },
  };
}
