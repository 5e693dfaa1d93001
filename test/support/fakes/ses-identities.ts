import { createPrivateKey, createPublicKey, type KeyObject, randomUUID } from 'node:crypto';
import { type FakeReply, type FakeRequest, startHttpFake } from './http-fake.ts';

/** An identity as the fake keeps it. */
type FakeIdentity = {
  selector: string;
  tags?: Record<string, string>;
  /** Key and MAIL FROM are SES's own (Easy DKIM): verified without a record of the fake zone. */
  isEasyDkim?: boolean;
  /** Base64 of the SPKI form of the key it was given. */
  publicKey: string;
  keyForm: 'pkcs1' | 'pkcs8';
  mailFromDomain?: string;
  configurationSetName?: string;
};

type Failure = { name: string; status: number };

/** A fake SES v2 for domain identities with keys of the caller's own: it looks into `dns` as SES looks into DNS. */
export type FakeSesIdentities = {
  url: string;
  identities: Map<string, FakeIdentity>;
  /** `METHOD path` of every call, in order. */
  calls: string[];
  /** Fails the next calls with these. */
  fail(...failures: Failure[]): void;
  /** Accepts keys of this form only. */
  takeOnly(form: 'pkcs1' | 'pkcs8'): void;
  close(): Promise<void>;
};

/** The DNS records that the fake finds: TXT records by host, MX targets by host. */
export type FakeZone = { txt: Map<string, string[]>; mx: Map<string, string[]> };

const SELECTOR = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?$/;
const KEY = /^[a-zA-Z0-9+/]+={0,2}$/;

export async function startFakeSesIdentities(dns: FakeZone): Promise<FakeSesIdentities> {
  const identities = new Map<string, FakeIdentity>();
  const calls: string[] = [];
  const failures: Failure[] = [];
  const taken = new Set<string>(['pkcs1', 'pkcs8']);
  const server = await startHttpFake((request) => {
    calls.push(`${request.method} ${request.path}`);
    const failure = failures.shift();
    if (failure) return refusal(failure);
    if (!/\/ses\/aws4_request/.test(request.headers.authorization ?? '')) {
      return refusal({ name: 'MissingAuthenticationTokenException', status: 403 });
    }
    return response(request, identities, taken, dns);
  });
  return {
    url: server.url,
    identities,
    calls,
    fail: (...next) => void failures.push(...next),
    takeOnly: (form) => {
      taken.clear();
      taken.add(form);
    },
    close: server.close,
  };
}

const refusal = ({ name, status }: Failure): FakeReply => ({
  status,
  headers: { 'x-amzn-requestid': randomUUID(), 'x-amzn-errortype': name },
  body: { message: name },
});
const BAD_REQUEST = refusal({ name: 'BadRequestException', status: 400 });
const NOT_FOUND = refusal({ name: 'NotFoundException', status: 404 });
const DONE: FakeReply = { status: 200, body: {} };

type Identities = Map<string, FakeIdentity>;

function response(
  request: FakeRequest,
  identities: Identities,
  taken: Set<string>,
  dns: FakeZone,
): FakeReply {
  const { method, path } = request;
  const body = request.body.length > 0 ? JSON.parse(request.body.toString()) : {};
  if (method === 'POST' && path === '/v2/email/identities') {
    if (identities.has(body.EmailIdentity)) {
      return refusal({ name: 'AlreadyExistsException', status: 400 });
    }
    const key = readKey(body.DkimSigningAttributes, taken);
    if (!key) return BAD_REQUEST;
    const tags = (body.Tags ?? []).map(({ Key, Value }: { Key: string; Value: string }) => [Key, Value]);
    identities.set(body.EmailIdentity, {
      ...key,
      ...(tags.length > 0 ? { tags: Object.fromEntries(tags) } : {}),
      ...(body.ConfigurationSetName ? { configurationSetName: body.ConfigurationSetName } : {}),
    });
    return DONE;
  }
  const [, name = '', rest = ''] = /^\/v2\/email\/identities\/([^/]+)(\/.*)?$/.exec(path) ?? [];
  const identity = identities.get(decodeURIComponent(name));
  if (!identity) return NOT_FOUND;
  if (method === 'PUT' && rest === '/dkim/signing') {
    const key = body.SigningAttributesOrigin === 'EXTERNAL' && readKey(body.SigningAttributes, taken);
    if (!key) return BAD_REQUEST;
    identities.set(name, { ...identity, ...key });
    return DONE;
  }
  if (method === 'PUT' && rest === '/mail-from') {
    if (!String(body.MailFromDomain).endsWith(`.${name}`)) return BAD_REQUEST;
    identities.set(name, { ...identity, mailFromDomain: body.MailFromDomain });
    return DONE;
  }
  if (method === 'GET' && rest === '') return { status: 200, body: describe(name, identity, dns) };
  if (method === 'DELETE' && rest === '') {
    identities.delete(name);
    return DONE;
  }
  return refusal({ name: 'UnknownOperationException', status: 404 });
}

function readKey(
  attributes: { DomainSigningSelector?: string; DomainSigningPrivateKey?: string } | undefined,
  taken: Set<string>,
): Pick<FakeIdentity, 'selector' | 'publicKey' | 'keyForm'> | undefined {
  const { DomainSigningSelector: selector = '', DomainSigningPrivateKey: text = '' } = attributes ?? {};
  if (!SELECTOR.test(selector) || !KEY.test(text)) return undefined;
  for (const keyForm of ['pkcs1', 'pkcs8'] as const) {
    const key = taken.has(keyForm) ? keyOf(text, keyForm) : undefined;
    const bits = key?.asymmetricKeyDetails?.modulusLength;
    if (!key || (bits !== 1024 && bits !== 2048)) continue;
    const der = createPublicKey(key).export({ type: 'spki', format: 'der' });
    return { selector, publicKey: der.toString('base64'), keyForm };
  }
  return undefined;
}

function keyOf(text: string, type: 'pkcs1' | 'pkcs8'): KeyObject | undefined {
  try {
    return createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type });
  } catch {
    return undefined;
  }
}

function describe(name: string, identity: FakeIdentity, dns: FakeZone) {
  const { selector, publicKey, mailFromDomain } = identity;
  const texts = dns.txt.get(`${selector}._domainkey.${name}`) ?? [];
  if (identity.isEasyDkim) return easyDkim(identity);
  const status = texts.some((text) => text.includes(`p=${publicKey}`)) ? 'SUCCESS' : 'PENDING';
  const mailFrom = mailFromDomain && {
    MailFromDomain: mailFromDomain,
    MailFromDomainStatus: dns.mx.has(mailFromDomain) ? 'SUCCESS' : 'PENDING',
    BehaviorOnMxFailure: 'USE_DEFAULT_VALUE',
  };
  return {
    IdentityType: 'DOMAIN',
    VerificationStatus: status,
    VerifiedForSendingStatus: status === 'SUCCESS',
    DkimAttributes: {
      SigningEnabled: true,
      Status: status,
      Tokens: [selector],
      SigningAttributesOrigin: 'EXTERNAL',
    },
    ...(mailFrom ? { MailFromAttributes: mailFrom } : {}),
    Tags: tagsOf(identity),
  };
}

const tagsOf = ({ tags = {} }: FakeIdentity) => Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));

function easyDkim(identity: FakeIdentity) {
  return {
    IdentityType: 'DOMAIN',
    VerificationStatus: 'SUCCESS',
    VerifiedForSendingStatus: true,
    DkimAttributes: {
      SigningEnabled: true,
      Status: 'SUCCESS',
      Tokens: ['token1', 'token2', 'token3'],
      SigningAttributesOrigin: 'AWS_SES',
    },
    Tags: tagsOf(identity),
  };
}
