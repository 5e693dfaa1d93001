import {
  AlreadyExistsException,
  BadRequestException,
  CreateEmailIdentityCommand,
  DeleteEmailIdentityCommand,
  type DkimSigningAttributes,
  GetEmailIdentityCommand,
  type GetEmailIdentityResponse,
  NotFoundException,
  PutEmailIdentityDkimSigningAttributesCommand,
  PutEmailIdentityMailFromAttributesCommand,
  type SESv2Client,
} from '@aws-sdk/client-sesv2';
import type { DomainFinding } from '../../domain/domains/domain-verification.ts';
import { mailFromOf } from '../../domain/domains/sender-domain.ts';
import { isDkimSelector, privateKeyBase64 } from '../../encryption/dkim-keys.ts';
import { defined } from '../../runtime/values/defined.ts';
import type { CheckedRecords } from '../../schemas/domains/sender-domain.ts';
import { type DnsResolver, isDnsUnavailable } from './dns-resolver.ts';
import type { DomainToVerify, DomainVerifier } from './domain-verifier.ts';
import { examineRecords, isKeyPublished } from './published-records.ts';

type KnownFinding = Extract<DomainFinding, { kind: 'known' }>;

export type SesVerifierOptions = {
  client: SESv2Client;
  resolver: DnsResolver;
  configurationSetName?: string;
  /** The tags of this stage: an identity without them belongs to somebody else in the AWS account. */
  tags: Readonly<Record<string, string>>;
  /** Waits its turn for one call: SES accepts one of these per second. */
  turn: () => Promise<void>;
};

/**
 * Verification over SES v2 with the account's own keys (BYODKIM). SES has one identity per name for all accounts, so an account's
 * key is registered only once DNS publishes that key: nobody can take over, or block, the verification of a domain they do not
 * control. From then on, SES's status counts.
 *
 * Identities belong to the AWS account. This stage creates, changes and deletes only identities that carry its tags; a verified
 * identity that the operator tagged by hand is used as it is.
 */
export function createSesVerifier(options: SesVerifierOptions): DomainVerifier {
  const { resolver } = options;
  const identities = identityCalls(options);

  async function registered(domain: DomainToVerify): Promise<KnownFinding> {
    const identity = await identities.find(domain.sender);
    if (!identity) return waiting(domain);
    if (!isTagged(identity, options.tags)) return IN_USE;
    return isSignedWith(identity, domain.selector) || isHandedOver(identity)
      ? findingOf(identity)
      : waiting(domain);
  }

  async function findRecords(domain: DomainToVerify): Promise<CheckedRecords | undefined> {
    try {
      return await examineRecords(resolver, domain);
    } catch (error) {
      if (isDnsUnavailable(error)) return undefined;
      throw error;
    }
  }

  return {
    name: 'ses',
    async verify(domain) {
      const records = await findRecords(domain);
      if (!domain.isVerified) {
        if (!records) return { kind: 'unknown' };
        if (!isKeyPublished(records, domain.publicKey)) return { ...waiting(domain), records };
      }
      const isForeign = !domain.isRegistered && (await identities.register(domain)) === 'in use';
      const finding = isForeign ? IN_USE : await registered(domain);
      return finding === IN_USE ? finding : { ...finding, ...defined({ records }) };
    },
    async remove({ sender, selector }) {
      const identity = await identities.find(sender);
      const isCreatedHere =
        identity !== undefined && isTagged(identity, options.tags) && isSignedWith(identity, selector);
      if (isCreatedHere) await identities.delete(sender);
    },
  };
}

/** Final: neither this stage nor time changes it. */
const IN_USE: KnownFinding = { kind: 'known', status: 'FAILED', isRegistered: false, problem: 'IN_USE' };

/** Not registered: the next check registers, if the identity has another account's key or does not exist. */
function waiting(domain: DomainToVerify): KnownFinding {
  const status = domain.isVerified ? 'TEMPORARY_FAILURE' : 'PENDING';
  return { kind: 'known', status, isRegistered: false };
}

function isTagged({ Tags = [] }: GetEmailIdentityResponse, tags: SesVerifierOptions['tags']): boolean {
  const values = new Map(Tags.map(({ Key, Value }) => [Key, Value]));
  return Object.entries(tags).every(([key, value]) => values.get(key) === value);
}

/** For BYODKIM keys, SES returns the selector as the only token, or none. */
function isSignedWith({ DkimAttributes }: GetEmailIdentityResponse, selector: string): boolean {
  const tokens = DkimAttributes?.Tokens ?? [];
  const isExternal = (DkimAttributes?.SigningAttributesOrigin ?? 'EXTERNAL') === 'EXTERNAL';
  return isExternal && (tokens.length === 0 || tokens.includes(selector));
}

/** True for a verified identity whose key is none of this service's: others have created it. */
function isHandedOver({ VerificationStatus, DkimAttributes }: GetEmailIdentityResponse): boolean {
  const { SigningAttributesOrigin: origin = 'EXTERNAL', Tokens: tokens = [] } = DkimAttributes ?? {};
  const isOwnKey = origin === 'EXTERNAL' && tokens.every(isDkimSelector);
  return VerificationStatus === 'SUCCESS' && !isOwnKey;
}

function findingOf(identity: GetEmailIdentityResponse): KnownFinding {
  const { VerificationStatus = 'PENDING', DkimAttributes, MailFromAttributes } = identity;
  const mailFrom = MailFromAttributes?.MailFromDomainStatus;
  const tokens = DkimAttributes?.Tokens;
  const dkim = DkimAttributes?.Status ?? VerificationStatus;
  const isDkimAwaited = VerificationStatus === 'SUCCESS' && !isHandedOver(identity);
  return {
    kind: 'known',
    status: isDkimAwaited ? dkim : VerificationStatus,
    ...defined({
      mailFromDomainStatus: mailFrom,
      verificationTokens: tokens?.length ? tokens : undefined,
    }),
    isRegistered: true,
  };
}

function identityCalls({ client, configurationSetName, tags, turn }: SesVerifierOptions) {
  async function find(sender: string): Promise<GetEmailIdentityResponse | undefined> {
    await turn();
    try {
      return await client.send(new GetEmailIdentityCommand({ EmailIdentity: sender }));
    } catch (error) {
      if (error instanceof NotFoundException) return undefined;
      throw error;
    }
  }

  /** Creates the identity; `existing` if there is one of this name. */
  async function create(sender: string, key: DkimSigningAttributes): Promise<'created' | 'existing'> {
    await turn();
    try {
      await client.send(
        new CreateEmailIdentityCommand({
          EmailIdentity: sender,
          DkimSigningAttributes: key,
          Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
          ...defined({ ConfigurationSetName: configurationSetName }),
        }),
      );
      return 'created';
    } catch (error) {
      if (error instanceof AlreadyExistsException) return 'existing';
      throw error;
    }
  }

  async function replaceKey(sender: string, key: DkimSigningAttributes): Promise<void> {
    await turn();
    await client.send(
      new PutEmailIdentityDkimSigningAttributesCommand({
        EmailIdentity: sender,
        SigningAttributesOrigin: 'EXTERNAL',
        SigningAttributes: key,
      }),
    );
  }

  /** `in use`: the identity belongs to somebody else. `as it is`: it was handed over. Neither is changed. */
  async function giveKey(
    { sender }: DomainToVerify,
    key: DkimSigningAttributes,
  ): Promise<'given' | 'in use' | 'as it is'> {
    if ((await create(sender, key)) === 'created') return 'given';
    const identity = await find(sender);
    if (!identity || !isTagged(identity, tags)) return 'in use';
    if (isHandedOver(identity)) return 'as it is';
    await replaceKey(sender, key);
    return 'given';
  }

  async function giveReadableKey(domain: DomainToVerify) {
    const pem = await domain.privateKeyPem();
    const keyOf = (form: 'pkcs1' | 'pkcs8') => ({
      DomainSigningSelector: domain.selector,
      DomainSigningPrivateKey: privateKeyBase64(pem, form),
    });
    try {
      return await giveKey(domain, keyOf('pkcs1'));
    } catch (error) {
      if (!(error instanceof BadRequestException)) throw error;
      return await giveKey(domain, keyOf('pkcs8'));
    }
  }

  return {
    find,
    /** Gives SES the key and the MAIL FROM subdomain; repeatable. */
    async register(domain: DomainToVerify): Promise<'given' | 'in use' | 'as it is'> {
      const outcome = await giveReadableKey(domain);
      if (outcome !== 'given') return outcome;
      await turn();
      await client.send(
        new PutEmailIdentityMailFromAttributesCommand({
          EmailIdentity: domain.sender,
          MailFromDomain: mailFromOf(domain.sender),
          BehaviorOnMxFailure: 'USE_DEFAULT_VALUE',
        }),
      );
      return outcome;
    },
    async delete(sender: string): Promise<void> {
      await turn();
      try {
        await client.send(new DeleteEmailIdentityCommand({ EmailIdentity: sender }));
      } catch (error) {
        if (!(error instanceof NotFoundException)) throw error;
      }
    },
  };
}
