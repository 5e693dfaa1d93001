import { SESv2Client } from '@aws-sdk/client-sesv2';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sesClientOptions } from '../../../../shared/channels/email/ses/ses.ts';
import { verificationRecordsOf } from '../../../../shared/domain/domains/sender-domain.ts';
import { createDkimKeys, type DkimKeyPair } from '../../../../shared/encryption/dkim-keys.ts';
import { createDnsResolver } from '../../../../shared/services/domains/dns-resolver.ts';
import type { DomainToVerify, DomainVerifier } from '../../../../shared/services/domains/domain-verifier.ts';
import { createDnsVerifier, createSandboxVerifier } from '../../../../shared/services/domains/domains.ts';
import { createSesVerifier } from '../../../../shared/services/domains/domains-ses.ts';
import { startFakeDns } from '../../../support/fakes/dns-server.ts';
import { startFakeSesIdentities } from '../../../support/fakes/ses-identities.ts';
import { useStarted } from '../../../support/use-started.ts';

const HOSTS = {
  feedback: 'feedback-smtp.us-east-1.amazonses.com',
  spf: 'amazonses.com',
  inbound: 'inbound-smtp.us-east-1.amazonaws.com',
};
const SERVER_FAILURE = 2;
const TAGS = { application: 'notifications', stage: 'prod' };

const dns = useStarted(startFakeDns, 'test');
const ses = useStarted(() => startFakeSesIdentities(dns.zone), 'test');
let client: SESv2Client;
let keys: [DkimKeyPair, DkimKeyPair];
let turns = 0;
beforeAll(async () => {
  keys = [await createDkimKeys().create(), await createDkimKeys().create()];
});
beforeEach(() => {
  client = new SESv2Client({
    ...sesClientOptions({ region: 'us-east-1', endpoint: ses.url }),
    credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' },
  });
  turns = 0;
});
afterEach(() => {
  client.destroy();
});

const domainOf = (pair: DkimKeyPair, rest: Partial<DomainToVerify> = {}): DomainToVerify => ({
  sender: 'shop.example.com',
  selector: pair.selector,
  publicKey: pair.publicKey,
  privateKeyPem: async () => pair.privateKeyPem,
  isVerified: false,
  isRegistered: false,
  hosts: HOSTS,
  ...rest,
});
function publish(domain: DomainToVerify, which: 'dkim' | 'all' = 'all'): void {
  const records = verificationRecordsOf(domain, HOSTS);
  dns.zone.txt.set(records.dkim.host, [records.dkim.recordValue]);
  if (which === 'dkim') return;
  dns.zone.txt.set(records.mail_from_spf.host, ['other text', records.mail_from_spf.recordValue]);
  dns.zone.mx.set(records.mail_from_mx.host, [records.mail_from_mx.recordValue]);
}
const resolver = () => createDnsResolver([dns.address]);
const sesVerifier = () =>
  createSesVerifier({
    client,
    resolver: resolver(),
    configurationSetName: 'events',
    tags: TAGS,
    turn: async () => {
      turns += 1;
    },
  });
const dnsVerifier = () => createDnsVerifier(resolver());

describe.each<[string, () => DomainVerifier]>([
  ['ses', sesVerifier],
  ['dns', dnsVerifier],
])('%s', (_, create) => {
  it('stays pending while no record is published', async () => {
    expect(await create().verify(domainOf(keys[0]))).toMatchObject({ kind: 'known', status: 'PENDING' });
  });

  it('verifies the domain by its DKIM record, and MAIL FROM by its own records', async () => {
    const domain = domainOf(keys[0]);
    publish(domain, 'dkim');
    expect(await create().verify(domain)).toMatchObject({
      status: 'SUCCESS',
      mailFromDomainStatus: 'PENDING',
    });
    publish(domain);
    expect(await create().verify(domain)).toMatchObject({
      status: 'SUCCESS',
      mailFromDomainStatus: 'SUCCESS',
      isRegistered: true,
    });
  });

  it("does not verify an account's domain by another account's key", async () => {
    publish(domainOf(keys[0]));
    const other = domainOf({ ...keys[1], selector: keys[0].selector });
    expect(await create().verify(other)).toMatchObject({ status: 'PENDING' });
    expect(await create().verify(domainOf(keys[1]))).toMatchObject({ status: 'PENDING' });
  });

  it('keeps a pending domain unchanged while DNS does not respond', async () => {
    dns.fail(SERVER_FAILURE);
    expect(await create().verify(domainOf(keys[0]))).toEqual({ kind: 'unknown' });
  });

  it('ignores the deletion of an unknown domain', async () => {
    await expect(
      create().remove({ sender: 'unknown.example.com', selector: 'nds0000000000' }),
    ).resolves.toBeUndefined();
  });
});

describe('ses', () => {
  it('does not call SES before the key is published', async () => {
    await sesVerifier().verify(domainOf(keys[0]));
    expect([ses.calls, turns]).toEqual([[], 0]);
  });

  it('creates the identity with the key, the configuration set and MAIL FROM, in this order', async () => {
    const domain = domainOf(keys[0]);
    publish(domain);
    const finding = await sesVerifier().verify(domain);
    expect(finding).toMatchObject({ verificationTokens: [keys[0].selector] });
    expect(ses.identities.get('shop.example.com')).toEqual({
      selector: keys[0].selector,
      publicKey: keys[0].publicKey,
      keyForm: 'pkcs1',
      tags: TAGS,
      mailFromDomain: 'mail.shop.example.com',
      configurationSetName: 'events',
    });
    expect(ses.calls).toEqual([
      'POST /v2/email/identities',
      'PUT /v2/email/identities/shop.example.com/mail-from',
      'GET /v2/email/identities/shop.example.com',
    ]);
    expect(turns).toBe(3);
  });

  it('only reads once it is registered', async () => {
    const domain = domainOf(keys[0]);
    publish(domain);
    await sesVerifier().verify(domain);
    ses.calls.length = 0;
    await sesVerifier().verify({ ...domain, isRegistered: true, isVerified: true });
    expect(ses.calls).toEqual(['GET /v2/email/identities/shop.example.com']);
  });

  it('sends the key as PKCS#8 when SES rejects PKCS#1', async () => {
    ses.takeOnly('pkcs8');
    const domain = domainOf(keys[0]);
    publish(domain);
    expect(await sesVerifier().verify(domain)).toMatchObject({ status: 'SUCCESS' });
    expect(ses.identities.get('shop.example.com')?.keyForm).toBe('pkcs8');
  });

  it('sets its key in an existing identity, and registers again when the key is gone', async () => {
    const [first, second] = [domainOf(keys[0]), domainOf(keys[1])];
    publish(first);
    publish(second);
    await sesVerifier().verify(first);
    expect(await sesVerifier().verify(second)).toMatchObject({ status: 'SUCCESS', isRegistered: true });
    expect(ses.identities.get('shop.example.com')?.selector).toBe(keys[1].selector);
    const lost = await sesVerifier().verify({ ...first, isRegistered: true });
    expect(lost).toMatchObject({ status: 'PENDING', isRegistered: false });
    expect(await sesVerifier().verify(first)).toMatchObject({ status: 'SUCCESS' });
  });

  it('registers again when the identity is gone', async () => {
    const domain = domainOf(keys[0], { isRegistered: true, isVerified: true });
    expect(await sesVerifier().verify(domain)).toMatchObject({
      status: 'TEMPORARY_FAILURE',
      isRegistered: false,
    });
  });

  it('throws when SES rejects for another reason', async () => {
    const domain = domainOf(keys[0]);
    publish(domain);
    ses.fail({ name: 'TooManyRequestsException', status: 429 });
    await expect(sesVerifier().verify(domain)).rejects.toThrow('TooManyRequestsException');
  });

  it('deletes the identity of a deleted domain', async () => {
    const domain = domainOf(keys[0]);
    publish(domain);
    await sesVerifier().verify(domain);
    await sesVerifier().remove(domain);
    expect(ses.identities.size).toBe(0);
  });

  describe('an identity that exists in the AWS account', () => {
    const name = 'shop.example.com';
    const others: [string, Record<string, string>][] = [
      ['without tags', {}],
      ['of another stage', { ...TAGS, stage: 'test' }],
      ['of another application', { ...TAGS, application: 'shop' }],
      ['with one of the tags', { stage: 'prod' }],
    ];

    it.each(others)('is neither changed nor deleted when it is one %s', async (_name, tags) => {
      const domain = domainOf(keys[0]);
      publish(domain);
      const identity = { selector: 's1', publicKey: 'their key', keyForm: 'pkcs1' as const, tags };
      ses.identities.set(name, identity);
      const inUse = { kind: 'known', status: 'FAILED', isRegistered: false, problem: 'IN_USE' };
      expect(await sesVerifier().verify(domain)).toEqual(inUse);
      expect(await sesVerifier().verify({ ...domain, isVerified: true, isRegistered: true })).toEqual(inUse);
      await sesVerifier().remove(domain);
      expect(ses.identities.get(name)).toEqual(identity);
      expect(ses.calls.filter((call) => /^(PUT|DELETE)/.test(call))).toEqual([]);
    });

    it('is used as it is when its operator handed it over, and is not deleted with the domain', async () => {
      const domain = domainOf(keys[0]);
      publish(domain);
      const identity = {
        selector: '',
        publicKey: '',
        keyForm: 'pkcs1' as const,
        isEasyDkim: true,
        tags: TAGS,
      };
      ses.identities.set(name, identity);
      const finding = { kind: 'known', status: 'SUCCESS', isRegistered: true };
      expect(await sesVerifier().verify(domain)).toMatchObject(finding);
      expect(await sesVerifier().verify({ ...domain, isVerified: true, isRegistered: true })).toMatchObject(
        finding,
      );
      await sesVerifier().remove(domain);
      expect(ses.identities.get(name)).toEqual(identity);
      expect(ses.calls.filter((call) => /^(PUT|DELETE)/.test(call))).toEqual([]);
    });

    it('is FAILED once its tags are taken away', async () => {
      const domain = domainOf(keys[0]);
      publish(domain);
      await sesVerifier().verify(domain);
      Object.assign(ses.identities.get(name) ?? {}, { tags: {} });
      const finding = await sesVerifier().verify({ ...domain, isVerified: true, isRegistered: true });
      expect(finding).toMatchObject({ status: 'FAILED', problem: 'IN_USE' });
    });

    it('is not used unless the account has published its own key', async () => {
      ses.identities.set(name, {
        selector: '',
        publicKey: '',
        keyForm: 'pkcs1',
        isEasyDkim: true,
        tags: TAGS,
      });
      expect(await sesVerifier().verify(domainOf(keys[0]))).toMatchObject({ status: 'PENDING' });
    });

    it('gets the key when it was handed over before it was verified', async () => {
      const domain = domainOf(keys[0]);
      publish(domain);
      ses.identities.set(name, { selector: 'old', publicKey: 'unpublished', keyForm: 'pkcs1', tags: TAGS });
      expect(await sesVerifier().verify(domain)).toMatchObject({ status: 'SUCCESS' });
      expect(ses.identities.get(name)?.selector).toBe(domain.selector);
    });

    it('stays when another domain of the stage has its key by now', async () => {
      const [first, second] = [domainOf(keys[0]), domainOf(keys[1])];
      publish(second);
      await sesVerifier().verify(second);
      await sesVerifier().remove(first);
      expect(ses.identities.get(name)?.selector).toBe(second.selector);
    });
  });
});

describe('dns', () => {
  const sender = 'shop.example.com';
  const names = { mail: 'mail.shop.example.com', dmarc: '_dmarc.shop.example.com' };

  it('reports a verified domain without its record as TEMPORARY_FAILURE', async () => {
    const finding = await dnsVerifier().verify(domainOf(keys[0], { isVerified: true }));
    expect(finding).toMatchObject({ status: 'TEMPORARY_FAILURE' });
  });

  /** `KEY` is the domain's public key. */
  it.each<[texts: string[], problem: RegExp | undefined]>([
    [['v=DKIM1; k=rsa; p=KEY'], undefined],
    [['v = DKIM1 ; p = KE Y;'], undefined],
    [['p=KEY'], undefined],
    [['v=DKIM1; h=sha1:sha256; s=email:other; t=s; n=note; p=KEY'], undefined],
    [['v=DKIM1; k=rsa; p=KEY', 'v=DKIM1; k=rsa; p=KEY'], /2 such records/],
    [['v=DKIM1; p=KEY', 'another text'], /2 such records/],
    [['v=DKIM1\\; k=rsa\\; p=KEY'], /backslash/],
    [['"v=DKIM1; k=rsa; p=KEY"'], /quotation mark/],
    [['v=DKIM1; t=y; p=KEY'], /t=y/],
    [['v=DKIM1; t=s:y; p=KEY'], /t=y/],
    [['v=DKIM1; k=ed25519; p=KEY'], /k=/],
    [['v=DKIM1; h=sha1; p=KEY'], /h=/],
    [['v=DKIM1; s=tlsrpt; p=KEY'], /s=/],
    [['v=DKIM2; p=KEY'], /v=DKIM1/],
    [['k=rsa; p=KEY; v=DKIM1'], /v=DKIM1/],
    [['v=DKIM1; p='], /revoked/],
    [['v=DKIM1; n=KEY'], /no key/],
    [['v=DKIM1; p=KEYx'], /another one/],
    [['v=DKIM1; p=KEY; p=KEY'], /twice/],
    [['v=DKIM1; rsa; p=KEY'], /equals sign/],
  ])('takes the DKIM record %j as a receiver does', async (texts, problem) => {
    const domain = domainOf(keys[0]);
    const published = texts.map((text) =>
      text
        .replaceAll('KEY', keys[0].publicKey)
        .replace('KE Y', `${keys[0].publicKey.slice(0, 60)} ${keys[0].publicKey.slice(60)}`),
    );
    dns.zone.txt.set(verificationRecordsOf(domain, HOSTS).dkim.host, published);
    const finding = await dnsVerifier().verify(domain);
    const dkim = { found: published, ...(problem && { problem: expect.stringMatching(problem) }) };
    expect(finding).toMatchObject({ status: problem ? 'PENDING' : 'SUCCESS', records: { dkim } });
    if (!problem) expect(finding).not.toHaveProperty('records.dkim.problem');
  });

  it.each<[texts: string[], problem: RegExp | undefined]>([
    [['v=spf1 include:amazonses.com -all'], undefined],
    [['V=SPF1 INCLUDE:AmazonSES.com. ~ALL', 'site-verification=1'], undefined],
    [['v=spf1 ip4:192.0.2.1 ip6:2001:db8::/32 a mx:example.com/24 +include:amazonses.com ?all'], undefined],
    [['v=spf1 redirect=amazonses.com'], undefined],
    [['v=spf1 include:amazonses.com ~all', 'v=spf1 -all'], /2 such records/],
    [['v=spf1 -all include:amazonses.com'], /before all/],
    [['v=spf1 ~all include:amazonses.com'], /before all/],
    [['v=spf1 -all redirect=amazonses.com'], /not include/],
    [['v=spf1 include:xamazonses.com ~all'], /not include/],
    [['v=spf1 include:xamazonses.com'], /not include/],
    [['v=spf1 -include:amazonses.com ~all'], /negated/],
    [['v=spf1 inlcude:amazonses.com ~all'], /inlcude/],
    [['v=spf1 ip4:192.0.2 include:amazonses.com ~all'], /ip4:192\.0\.2 /],
    [['v=spf1 ip4:192.0.2.1/33 include:amazonses.com ~all'], /invalid/],
    [['v=spf1 include: include:amazonses.com ~all'], /invalid/],
    [[`v=spf1 ${'a:h.example.com '.repeat(10)}include:amazonses.com ~all`], /11 names/],
    [['"v=spf1 include:amazonses.com ~all"'], /quotation mark/],
    [['include:amazonses.com'], undefined],
  ])('takes the SPF records %j as a receiver does', async (texts, problem) => {
    const domain = domainOf(keys[0]);
    publish(domain);
    dns.zone.txt.set(names.mail, texts);
    const finding = await dnsVerifier().verify(domain);
    const isOne = texts.some((text) => /spf1/i.test(text));
    expect(finding).toMatchObject({
      status: 'SUCCESS',
      mailFromDomainStatus: isOne && !problem ? 'SUCCESS' : 'PENDING',
    });
    expect(finding).toHaveProperty(
      'records.mail_from_spf.found.length',
      isOne ? texts.filter((text) => /spf1/i.test(text)).length : 0,
    );
    if (problem)
      expect(finding).toHaveProperty('records.mail_from_spf.problem', expect.stringMatching(problem));
    else expect(finding).not.toHaveProperty('records.mail_from_spf.problem');
  });

  it.each<[exchanges: string[], problem: RegExp | undefined]>([
    [['10 FEEDBACK'], undefined],
    [['10 FEEDBACK', '20 mx.example.net'], undefined],
    [['10 FEEDBACK', '5 mx.example.net'], /mx\.example\.net is preferred/],
    [['10 FEEDBACK', '10 mx.example.net'], /mx\.example\.net is preferred/],
    [['10 mx.example.net'], /receives the email/],
    [['0 .'], /empty host/],
    [['10 FEEDBACK.shop.example.com'], /zone was appended/],
  ])('takes the MX records %j as a sender does', async (exchanges, problem) => {
    const domain = domainOf(keys[0]);
    publish(domain);
    dns.zone.mx.set(
      names.mail,
      exchanges.map((each) => each.replace('FEEDBACK', HOSTS.feedback)),
    );
    const finding = await dnsVerifier().verify(domain);
    expect(finding).toMatchObject({ mailFromDomainStatus: problem ? 'PENDING' : 'SUCCESS' });
    if (problem)
      expect(finding).toHaveProperty('records.mail_from_mx.problem', expect.stringMatching(problem));
    else expect(finding).not.toHaveProperty('records.mail_from_mx.problem');
  });

  it('reports a record to whose name the zone was appended twice, and nothing about one that is missing', async () => {
    const domain = domainOf(keys[0]);
    const { dkim } = verificationRecordsOf(domain, HOSTS);
    dns.zone.txt.set(`${dkim.host}.example.com`, [dkim.recordValue]);
    const finding = await dnsVerifier().verify(domain);
    expect(finding).toMatchObject({
      records: { dkim: { found: [], problem: expect.stringContaining(`at ${dkim.host}.example.com`) } },
    });
    expect(finding).toHaveProperty('records.dmarc', { found: [] });
  });

  it.each([
    [['v=DMARC1; p=none;'], undefined],
    [['v=DMARC1; p=monitor'], /policy/],
    [['v=DMARC1; p=none', 'v=DMARC1; p=reject'], /2 such records/],
  ])('takes the DMARC records %j as a receiver does', async (texts, problem) => {
    dns.zone.txt.set(names.dmarc, texts);
    const finding = await dnsVerifier().verify(domainOf(keys[0], { sender }));
    const dmarc = { found: texts, ...(problem && { problem: expect.stringMatching(problem) }) };
    expect(finding).toHaveProperty('records.dmarc', dmarc);
  });
});

describe('the sandbox', () => {
  it.each([
    ['shop.example.com', 'SUCCESS'],
    ['shop.pending.test', 'PENDING'],
    ['shop.failed.test', 'FAILED'],
    ['shop.temporary.test', 'TEMPORARY_FAILURE'],
  ])('reports %s as %s', async (sender, status) => {
    expect(await createSandboxVerifier().verify(domainOf(keys[0], { sender }))).toMatchObject({
      status,
      mailFromDomainStatus: status,
    });
  });
});
