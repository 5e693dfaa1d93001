import { beforeAll, describe, expect, it } from 'vitest';
import { handler as createDomain } from '../../../functions/domains/create-domain.ts';
import { handler as listDomains } from '../../../functions/domains/list-domains.ts';
import { handler as pollDomains } from '../../../functions/workers/domains/poll-domains.ts';
import type { SenderDomain } from '../../../shared/schemas/domains/sender-domain.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { startFakeDns } from '../../support/fakes/dns-server.ts';
import { useApp } from '../../support/use-app.ts';
import { useStarted } from '../../support/use-started.ts';

const app = useApp();
const dns = useStarted(startFakeDns);
beforeAll(() => {
  process.env.MAIL_DOMAIN = 'mail.example.net';
  process.env.DOMAIN_PROVIDER = 'dns';
  process.env.DNS_SERVERS = dns.address;
});

/** Publishes the returned records as a DNS panel would: name by name, in the zone. */
function publish(domain: SenderDomain, zone: string): void {
  for (const record of Object.values(domain.verificationRecords ?? {})) {
    if (!record) continue;
    const host = record.recordName === '@' ? zone : `${record.recordName}.${zone}`;
    const records = record.recordType === 'TXT' ? dns.zone.txt : dns.zone.mx;
    records.set(host, [...(records.get(host) ?? []), record.recordValue]);
  }
}

describe('DOMAIN_PROVIDER=dns', () => {
  it('verifies a domain once its zone contains exactly the returned records', async () => {
    const { secret } = await createTestAccount(app);
    const made = await call(createDomain, { key: secret.key, body: { sender: 'news.shop.co.uk' } });
    await pollDomains();
    const waiting = await call(listDomains, { key: secret.key });
    expect(waiting.json[0]).toMatchObject({ status: 'PENDING', mailFromDomainStatus: 'PENDING' });
    publish(made.json[0], 'shop.co.uk');
    app.clock.nowMs += 5 * 60_000;
    await pollDomains();
    const { json } = await call(listDomains, { key: secret.key });
    expect(json[0]).toMatchObject({
      status: 'SUCCESS',
      mailFromDomainStatus: 'SUCCESS',
      lastSync: '2026-11-21T08:35:00.000Z',
    });
    const { dkim } = made.json[0].verificationRecords;
    expect(json[0].verificationRecords.dkim).toEqual({ ...dkim, found: [dkim.recordValue] });
  });

  it('returns what DNS has for each record, and what is wrong with it', async () => {
    const { secret } = await createTestAccount(app);
    const made = await call(createDomain, { key: secret.key, body: { sender: 'two.example.org' } });
    expect(made.json[0].verificationRecords.dkim).not.toHaveProperty('found');
    publish(made.json[0], 'example.org');
    const { dkim } = made.json[0].verificationRecords;
    dns.zone.txt.set(dkim.host, [dkim.recordValue, 'v=DKIM1; p=x']);
    await pollDomains();
    const { json } = await call(listDomains, { key: secret.key });
    expect(json[0]).toMatchObject({ status: 'PENDING', mailFromDomainStatus: 'SUCCESS' });
    expect(json[0].verificationRecords.dkim).toEqual({
      ...dkim,
      found: expect.arrayContaining([dkim.recordValue, 'v=DKIM1; p=x']),
      problem: expect.stringContaining('2 such records'),
    });
    expect(json[0].verificationRecords.mail_from_mx.found).toHaveLength(1);
  });
});
