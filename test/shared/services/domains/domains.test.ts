import { SESv2Client } from '@aws-sdk/client-sesv2';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sesClientOptions } from '../../../../shared/channels/email/ses.ts';
import { verificationRecordsOf } from '../../../../shared/domain/sender-domain.ts';
import { createDkimKeys, type DkimKeyPair } from '../../../../shared/encryption/dkim-keys.ts';
import { createDnsResolver } from '../../../../shared/services/domains/dns-resolver.ts';
import type { DomainToVerify, DomainVerifier } from '../../../../shared/services/domains/domain-verifier.ts';
import { createDnsVerifier } from '../../../../shared/services/domains/domains-dns.ts';
import { createSandboxVerifier } from '../../../../shared/services/domains/domains-sandbox.ts';
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
  it('reads tags in any order with spaces, and no other tag', async () => {
    const domain = domainOf(keys[0]);
    const { host } = verificationRecordsOf(domain, HOSTS).dkim;
    const spaced = `${keys[0].publicKey.slice(0, 60)} ${keys[0].publicKey.slice(60)}`;
    dns.zone.txt.set(host, [`k=rsa ; p = ${spaced}; v=DKIM1`]);
    expect(await dnsVerifier().verify(domain)).toMatchObject({ status: 'SUCCESS' });
    dns.zone.txt.set(host, [`v=DKIM1; n=${keys[0].publicKey}`]);
    expect(await dnsVerifier().verify(domain)).toMatchObject({ status: 'PENDING' });
  });

  it('reports a verified domain without its record as TEMPORARY_FAILURE', async () => {
    const finding = await dnsVerifier().verify(domainOf(keys[0], { isVerified: true }));
    expect(finding).toMatchObject({ status: 'TEMPORARY_FAILURE' });
  });

  it.each([
    ['v=spf1 include:amazonses.com -all', 'SUCCESS'],
    ['v=spf1 ip4:192.0.2.1 +include:amazonses.com ~all', 'SUCCESS'],
    ['v=spf1 include:xamazonses.com ~all', 'PENDING'],
    ['v=spf1 -include:amazonses.com ~all', 'PENDING'],
    ['include:amazonses.com', 'PENDING'],
  ])('takes SPF %s as %s', async (text, status) => {
    const domain = domainOf(keys[0]);
    publish(domain);
    dns.zone.txt.set('mail.shop.example.com', [text]);
    expect(await dnsVerifier().verify(domain)).toMatchObject({ mailFromDomainStatus: status });
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
